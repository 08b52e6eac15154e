// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @get_tuple_element_c1(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op attribute 'index' is 1, but operand 0 has 1 elements}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = 1 : i32} : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @get_tuple_element_c1_negative(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op attribute 'index' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = -1 : i32} : (tuple<tensor<f32>>) -> tensor<f32>
  return
}

// -----

func.func @get_tuple_element_c2(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op result 0 has type tensor<i32>, but element 0 of operand 0 has type tensor<f32>}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = 0 : i32} : (tuple<tensor<f32>>) -> tensor<i32>
  return
}

// -----

func.func @get_tuple_element_operand_type(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op operand #0 must be nested tuple with any combination of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or memref of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or ranked tensor of per-axis integer quantized values or token values, but got 'tensor<f32>'}}
  %0 = "stablehlo.get_tuple_element"(%a) {index = 0 : i32} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @get_tuple_element_attribute(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{'stablehlo.get_tuple_element' op requires attribute 'index'}}
  %0 = "stablehlo.get_tuple_element"(%a) : (tuple<tensor<f32>>) -> tensor<f32>
  return
}
