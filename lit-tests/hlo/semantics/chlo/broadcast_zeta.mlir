// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_zeta_element_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_zeta' op operand #0 must be tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xi32>'}}
  %0 = "chlo.broadcast_zeta"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_zeta_operand_type(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'chlo.broadcast_zeta' op requires the same element type for all operands and results}}
  %0 = "chlo.broadcast_zeta"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_zeta_result_shape(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'chlo.broadcast_zeta' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "chlo.broadcast_zeta"(%a, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @broadcast_zeta_result_rank(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_zeta' op result 0 has shape 4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "chlo.broadcast_zeta"(%a, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_zeta_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_zeta' op result #0 must be tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xi2>'}}
  %0 = "chlo.broadcast_zeta"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi2>
  return
}

// -----

func.func @broadcast_zeta_operand_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_zeta' op expected 2 operands, but found 1}}
  %0 = "chlo.broadcast_zeta"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
