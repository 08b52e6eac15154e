// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @torch_index_select_shape(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op result 0 has shape 3x4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @torch_index_select_element_type(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf64>
  return
}

// -----

func.func @torch_index_select_attribute(%a: tensor<5x4xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.torch_index_select' op requires attribute 'batch_dims'}}
  %0 = "stablehlo.torch_index_select"(%a, %b) {dim = 0 : i64} : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
