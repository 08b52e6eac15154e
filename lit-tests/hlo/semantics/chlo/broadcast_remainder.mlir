// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_remainder_operand_type(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'chlo.broadcast_remainder' op requires the same element type for all operands and results}}
  %0 = "chlo.broadcast_remainder"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_remainder_result_shape(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'chlo.broadcast_remainder' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "chlo.broadcast_remainder"(%a, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @broadcast_remainder_result_rank(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_remainder' op result 0 has shape 4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "chlo.broadcast_remainder"(%a, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_remainder_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_remainder' op requires the same element type for all operands and results}}
  %0 = "chlo.broadcast_remainder"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi2>
  return
}

// -----

func.func @broadcast_remainder_operand_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_remainder' op expected 2 operands, but found 1}}
  %0 = "chlo.broadcast_remainder"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
