// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @erfc_element_type(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'chlo.erfc' op operand #0 must be tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xcomplex<f32>>'}}
  %0 = "chlo.erfc"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @erfc_operand_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.erfc' op requires a single operand}}
  %0 = "chlo.erfc"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @erfc_result_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.erfc' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "chlo.erfc"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @erfc_result_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.erfc' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "chlo.erfc"(%a) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @erfc_result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.erfc' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "chlo.erfc"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}
