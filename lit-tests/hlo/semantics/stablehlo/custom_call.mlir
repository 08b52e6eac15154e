// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @custom_call_backend_config(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'backend_config' is "x", but with api version 4 it must be a dictionary}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", api_version = 4 : i32, backend_config = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_backend_config_version(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'backend_config' is {n = 1 : i64}, but with api version 2 it must be a string}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", api_version = 2 : i32, backend_config = {n = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_one_layout_attribute(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op has attribute 'operand_layouts', but no attribute 'result_layouts'}}
  "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @custom_call_layout_count(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'operand_layouts' has 0 layouts, but there are 1 values}}
  "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [], result_layouts = []} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @custom_call_layout_permutation(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op operand 0 has type tensor<2x3xf32>, but its layout dense<0> : tensor<2xindex> does not order 2 dimensions}}
  "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<[0, 0]> : tensor<2xindex>], result_layouts = []} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @custom_call_layout_rank(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op operand 0 has type tensor<2x3xf32>, but its layout dense<0> : tensor<1xindex> does not order 2 dimensions}}
  "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @custom_call_layout_of_token(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.custom_call' op operand 0 has type !stablehlo.token, but its layout dense<0> : tensor<1xindex> does not order 0 dimensions}}
  "stablehlo.custom_call"(%a) {call_target_name = "f", operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = []} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @custom_call_result_tilings(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'result_tilings' is not supported: results cannot have tiled layouts}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", result_tilings = [[dense<4> : tensor<1xindex>]]} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @custom_call_no_result_tilings(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", result_tilings = []} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @custom_call_alias_operand(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'output_operand_aliases' has operand 1, but there are 1 operands}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_alias_type(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'output_operand_aliases' joins an operand of type tensor<2xf32> and an output of type tensor<3xf32>}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @custom_call_alias_output(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'output_operand_aliases' has #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>, whose indices lead out of a tuple}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_target(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op requires attribute 'call_target_name'}}
  %0 = "stablehlo.custom_call"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @custom_call_api_version(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op attribute 'api_version' failed to satisfy constraint: The calling convention of a custom call's target}}
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", api_version = 9 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// A dimension of size zero does not hide that the others overflow.
func.func @custom_call_overflow() {
  // expected-error @+1 {{'stablehlo.custom_call' op result 0 has type tensor<0x4294967296x4294967296xi8>, which has more elements than memory can hold}}
  %0 = "stablehlo.custom_call"() {call_target_name = "f"} : () -> tensor<0x4294967296x4294967296xi8>
  return
}
