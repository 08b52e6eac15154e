// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_shift_right_logical_operand_type(%a: tensor<4xi32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{'chlo.broadcast_shift_right_logical' op requires the same element type for all operands and results}}
  %0 = "chlo.broadcast_shift_right_logical"(%a, %b) : (tensor<4xi32>, tensor<4xui32>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_shift_right_logical_result_shape(%a: tensor<4xi32>, %b: tensor<i32>) {
  // expected-error @+1 {{'chlo.broadcast_shift_right_logical' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "chlo.broadcast_shift_right_logical"(%a, %b) : (tensor<4xi32>, tensor<i32>) -> tensor<5xi32>
  return
}

// -----

func.func @broadcast_shift_right_logical_result_rank(%a: tensor<2x4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_shift_right_logical' op result 0 has shape 4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "chlo.broadcast_shift_right_logical"(%a, %b) : (tensor<2x4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_shift_right_logical_result_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_shift_right_logical' op requires the same element type for all operands and results}}
  %0 = "chlo.broadcast_shift_right_logical"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi2>
  return
}

// -----

func.func @broadcast_shift_right_logical_operand_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_shift_right_logical' op expected 2 operands, but found 1}}
  %0 = "chlo.broadcast_shift_right_logical"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}
