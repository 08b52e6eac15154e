// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_complex_element_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_complex' op operand #0 must be tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xi32>'}}
  %0 = "chlo.broadcast_complex"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @broadcast_complex_operand_type(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'chlo.broadcast_complex' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "chlo.broadcast_complex"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @broadcast_complex_result_shape(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'chlo.broadcast_complex' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "chlo.broadcast_complex"(%a, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @broadcast_complex_result_rank(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_complex' op result 0 has shape 4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "chlo.broadcast_complex"(%a, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @broadcast_complex_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_complex' op result 0 has element type complex<f64>, but the operands and attributes of the op imply complex<f32>}}
  %0 = "chlo.broadcast_complex"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @broadcast_complex_operand_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_complex' op expected 2 operands, but found 1}}
  %0 = "chlo.broadcast_complex"(%a) : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}
