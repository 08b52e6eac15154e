// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @f(%a) {backend_config = "", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.custom_call @g(%a) {api_version = 4 : i32, backend_config = {n = 1 : i64}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @backend_config() {
  // expected-error @+1 {{attribute 'backend_config' is "x", but with api version 4 it must be a dictionary}}
  stablehlo.custom_call @f() {api_version = 4 : i32, backend_config = "x"} : () -> ()
  return
}

// -----

func.func @layouts_of_operands_only(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{has attribute 'operand_layouts', but no attribute 'result_layouts'}}
  stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @layout_is_no_permutation(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{operand 0 has type tensor<2x3xf32>, but its layout dense<0> : tensor<2xindex> does not order 2 dimensions}}
  stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 0]> : tensor<2xindex>], result_layouts = []} : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @alias_of_no_operand(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{attribute 'output_operand_aliases' has operand 1, but there are 1 operands}}
  %0 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @composite_name() {
  // expected-error @+1 {{attribute 'name' is "gelu", but must be a namespace and a name with a point between them}}
  stablehlo.composite "gelu" {decomposition = @f} : () -> ()
  return
}
func.func private @f()

// -----

func.func @composite_decomposition(%a: tensor<f32>) {
  // expected-error @+1 {{operand 0 has type tensor<f32>, but that of @f has type tensor<f64>}}
  stablehlo.composite "my.gelu" %a {decomposition = @f} : (tensor<f32>) -> ()
  return
}
func.func private @f(tensor<f64>)
