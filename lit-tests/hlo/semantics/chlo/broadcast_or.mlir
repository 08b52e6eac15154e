// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_or_element_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_or' op operand #0 must be tensor of bool or 2/4/8/16/32/64-bit integer values, but got 'tensor<4xf32>'}}
  %0 = "chlo.broadcast_or"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_or_operand_type(%a: tensor<4xi32>, %b: tensor<4xi1>) {
  // expected-error @+1 {{'chlo.broadcast_or' op operand 1 has element type i1, but operand 0 has element type i32}}
  %0 = "chlo.broadcast_or"(%a, %b) : (tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_or_result_shape(%a: tensor<4xi32>, %b: tensor<i32>) {
  // expected-error @+1 {{'chlo.broadcast_or' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "chlo.broadcast_or"(%a, %b) : (tensor<4xi32>, tensor<i32>) -> tensor<5xi32>
  return
}

// -----

func.func @broadcast_or_result_rank(%a: tensor<2x4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_or' op result 0 has shape 4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "chlo.broadcast_or"(%a, %b) : (tensor<2x4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_or_result_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_or' op result 0 has element type i2, but the operands and attributes of the op imply i32}}
  %0 = "chlo.broadcast_or"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi2>
  return
}

// -----

func.func @broadcast_or_operand_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.broadcast_or' op expected 2 operands, but found 1}}
  %0 = "chlo.broadcast_or"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}
