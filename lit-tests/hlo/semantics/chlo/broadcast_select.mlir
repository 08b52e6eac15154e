// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_select_choices(%a: tensor<i1>, %b: tensor<2xf32>, %c: tensor<2xf64>) {
  // expected-error @+1 {{'chlo.broadcast_select' op operand 2 has element type f64, but operand 1 has element type f32}}
  %0 = "chlo.broadcast_select"(%a, %b, %c) : (tensor<i1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_select_predicate(%a: tensor<i8>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.broadcast_select' op operand #0 must be ranked tensor of bool values, but got 'tensor<i8>'}}
  %0 = "chlo.broadcast_select"(%a, %b, %c) : (tensor<i8>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcast_select_result_type(%a: tensor<i1>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.broadcast_select' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "chlo.broadcast_select"(%a, %b, %c) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @broadcast_select_result_shape(%a: tensor<i1>, %b: tensor<2xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.broadcast_select' op result 0 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0 = "chlo.broadcast_select"(%a, %b, %c) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcast_select_operand_count(%a: tensor<i1>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.broadcast_select' op expected 3 operands, but found 2}}
  %0 = "chlo.broadcast_select"(%a, %b) : (tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return
}
