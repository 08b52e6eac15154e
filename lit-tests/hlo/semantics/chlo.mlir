// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<?x3xf32>, %b: tensor<3xf32>, %u: tensor<*xf32>, %c: tensor<2x3xcomplex<f32>>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %1 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %2 = chlo.broadcast_multiply %a, %u : (tensor<?x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  %3 = chlo.conj %c : tensor<2x3xcomplex<f32>> -> tensor<2x3xcomplex<f32>>
  return
}

// -----

func.func @elements(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error @+1 {{operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @result_element(%a: tensor<2xf32>) {
  // expected-error @+1 {{result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = chlo.broadcast_maximum %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @broadcast_shape(%a: tensor<2x1xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{result 0 has shape 2x5, but the operands and attributes of the op imply shape 2x4}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2x1xf32>, tensor<4xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @choices(%p: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{operand 2 has element type i32, but operand 1 has element type f32}}
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @constant_like(%a: tensor<2xf32>) {
  // expected-error @+1 {{result 0 has element type i32, but the operands and attributes of the op imply f32}}
  %0 = "chlo.constant_like"(%a) {value = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func @top_k_rank(%a: tensor<f32>) {
  // expected-error @+1 {{operand 0 has rank 0, but must have at least one dimension}}
  %0:2 = chlo.top_k(%a, k = 2) : tensor<f32> -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// -----

func.func @top_k_size(%a: tensor<5x3xf32>) {
  // expected-error @+1 {{attribute 'k' is 4, but the last dimension of operand 0 has size 3}}
  %0:2 = chlo.top_k(%a, k = 4) : tensor<5x3xf32> -> (tensor<5x4xf32>, tensor<5x4xi32>)
  return
}

// -----

func.func @ragged_dot(%l: tensor<2x11x5xf32>, %r: tensor<3x2x5x7xf32>, %g: tensor<3xi64>, %n: tensor<2x3xi64>) {
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  %1 = "chlo.ragged_dot"(%l, %r, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  // expected-error @+1 {{'lhs_ragged_dimensions' has 2 entries, but must have one}}
  %2 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1, 0], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @ragged_dot_groups(%l: tensor<11x5xf32>, %r: tensor<3x5x7xf32>, %g: tensor<2xi64>) {
  // expected-error @+1 {{dimension 0 of operand 1 has size 3, but there are 2 groups}}
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<2xi64>) -> tensor<11x7xf32>
  return
}

// -----

func.func @ragged_dot_sizes(%l: tensor<2x11x5xf32>, %r: tensor<3x2x5x7xf32>, %g: tensor<4x3xi64>) {
  // expected-error @+1 {{operand 2 has shape 4x3, but the ragged dimension implies shape 2x3}}
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<4x3xi64>) -> tensor<2x11x7xf32>
  return
}

// -----

func.func @ragged_dot_contracting(%l: tensor<11x5xf32>, %r: tensor<5x7xf32>, %g: tensor<3xi64>) {
  // expected-error @+1 {{result 0 has shape 11x7, but the operands and attributes of the op imply shape 3x11x7}}
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>} : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// -----

func.func @ragged_dot_group_dimensions(%l: tensor<11x5xf32>, %r: tensor<5x7xf32>, %g: tensor<3xi64>) {
  // expected-error @+1 {{'rhs_group_dimensions' has 0 entries, but must have 1 where the ragged dimension is free}}
  %0 = "chlo.ragged_dot"(%l, %r, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>} : (tensor<11x5xf32>, tensor<5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return
}

// -----

func.func @scan(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{dimension 0 of operand 0 has size 2, but the scan is over 3}}
  %0:2 = chlo.scan(%a) inits (%b) dimension = 0 attributes {scan_dim_size = 3 : i64} {
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_slices(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{argument 0 of region 0 has shape 3, but a slice of the input has shape 2}}
  %0:2 = chlo.scan(%a) inits (%b) dimension = 1 {
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_outputs(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{result 0 has shape 4x3, but the operands and attributes of the op imply shape 2x3}}
  %0:2 = chlo.scan(%a) inits (%b) dimension = 0 {
  ^bb0(%x: tensor<3xf32>, %y: tensor<3xf32>):
    stablehlo.return %x, %y : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
