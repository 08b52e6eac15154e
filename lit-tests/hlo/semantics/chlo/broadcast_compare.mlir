// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_compare_operand_type(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'chlo.broadcast_compare' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "chlo.broadcast_compare"(%a, %b) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

func.func @broadcast_compare_result_shape(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'chlo.broadcast_compare' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "chlo.broadcast_compare"(%a, %b) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xi1>
  return
}

// -----

func.func @broadcast_compare_result_rank(%a: tensor<2x4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_compare' op result 0 has shape 4, but the operands and attributes of the op imply shape 2x4}}
  %0 = "chlo.broadcast_compare"(%a, %b) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @broadcast_compare_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_compare' op result #0 must be tensor of bool values, but got 'tensor<4xi2>'}}
  %0 = "chlo.broadcast_compare"(%a, %b) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi2>
  return
}

// -----

func.func @broadcast_compare_operand_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.broadcast_compare' op expected 2 operands, but found 1}}
  %0 = "chlo.broadcast_compare"(%a) {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4xf32>) -> tensor<4xi1>
  return
}
