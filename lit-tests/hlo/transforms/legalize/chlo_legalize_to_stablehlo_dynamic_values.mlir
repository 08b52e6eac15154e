// RUN: halo-opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: halo-run --backend=interpreter %s

// Programs whose shapes only their run tells; conversions hide what is known.

// CHECK-NOT: chlo.

func.func @main() {
  func.call @broadcast() : () -> ()
  func.call @function() : () -> ()
  func.call @constant_like() : () -> ()
  func.call @top_k() : () -> ()
  func.call @scan() : () -> ()
  func.call @ragged_dot() : () -> ()
  func.call @ragged_unknown() : () -> ()
  func.call @ragged_contraction() : () -> ()
  return
}

func.func private @broadcast() {
  %row = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %column = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %a = stablehlo.convert %row : (tensor<3xf32>) -> tensor<?xf32>
  %b = stablehlo.convert %column : (tensor<2x1xf32>) -> tensor<?x?xf32>
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.convert %0 : (tensor<?x?xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %1, dense<[[11.0, 12.0, 13.0], [21.0, 22.0, 23.0]]> : tensor<2x3xf32>
  return
}

func.func private @function() {
  %x = stablehlo.constant dense<[[-1.0, 0.0, 1.0]]> : tensor<1x3xf16>
  %a = stablehlo.convert %x : (tensor<1x3xf16>) -> tensor<?x3xf16>
  %0 = chlo.acos %a : tensor<?x3xf16> -> tensor<?x3xf16>
  %1 = stablehlo.convert %0 : (tensor<?x3xf16>) -> tensor<1x3xf16>
  check.expect_eq_const %1, dense<[[3.140625, 1.57080078125, 0.0]]> : tensor<1x3xf16>
  return
}

func.func private @constant_like() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  %a = stablehlo.convert %x : (tensor<2xi8>) -> tensor<?xi8>
  %0 = "chlo.constant_like"(%a) {value = #complex.number<:f32 1.0, 2.0> : complex<f32>} : (tensor<?xi8>) -> tensor<?xcomplex<f32>>
  %1 = stablehlo.convert %0 : (tensor<?xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %1, dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return
}

// A NaN is above infinity; of equal entries the first one comes first.
func.func private @top_k() {
  %x = stablehlo.constant dense<[[1.0, 5.0, 7.0, 7.0, 0x7FC00000, 0x7F800000]]> : tensor<1x6xf32>
  %a = stablehlo.convert %x : (tensor<1x6xf32>) -> tensor<?x6xf32>
  %0:2 = chlo.top_k(%a, k = 4) : tensor<?x6xf32> -> (tensor<?x4xf32>, tensor<?x4xi32>)
  %1 = stablehlo.convert %0#0 : (tensor<?x4xf32>) -> tensor<1x4xf32>
  %2 = stablehlo.convert %0#1 : (tensor<?x4xi32>) -> tensor<1x4xi32>
  check.expect_eq_const %1, dense<[[0x7FC00000, 0x7F800000, 7.0, 7.0]]> : tensor<1x4xf32>
  check.expect_eq_const %2, dense<[[4, 5, 2, 3]]> : tensor<1x4xi32>
  return
}

func.func private @scan() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %input = stablehlo.convert %x : (tensor<2x3xi32>) -> tensor<?x?xi32>
  %init = stablehlo.convert %zero : (tensor<2xi32>) -> tensor<?xi32>
  %0:2 = chlo.scan(%input) inits(%init) dimension=1 {
  ^bb0(%a: tensor<?xi32>, %b: tensor<?xi32>):
    %sum = stablehlo.add %a, %b : tensor<?xi32>
    stablehlo.return %sum, %sum : tensor<?xi32>, tensor<?xi32>
  } : (tensor<?x?xi32>, tensor<?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>)
  %1 = stablehlo.convert %0#0 : (tensor<?x?xi32>) -> tensor<2x3xi32>
  %2 = stablehlo.convert %0#1 : (tensor<?xi32>) -> tensor<2xi32>
  check.expect_eq_const %1, dense<[[1, 3, 6], [4, 9, 15]]> : tensor<2x3xi32>
  check.expect_eq_const %2, dense<[6, 15]> : tensor<2xi32>
  return
}

// [1, 2] meets the first part of the right operand, the others the second.
func.func private @ragged_dot() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [10]], [[2], [20]]]> : tensor<2x2x1xi32>
  %n = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %lhs = stablehlo.convert %x : (tensor<3x2xi32>) -> tensor<?x2xi32>
  %sizes = stablehlo.convert %n : (tensor<2xi32>) -> tensor<?xi32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<?x2xi32>, tensor<2x2x1xi32>, tensor<?xi32>) -> tensor<?x1xi32>
  %1 = stablehlo.convert %0 : (tensor<?x1xi32>) -> tensor<3x1xi32>
  check.expect_eq_const %1, dense<[[21], [86], [130]]> : tensor<3x1xi32>
  return
}

// The same where nothing tells how many groups there are.
func.func private @ragged_unknown() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [10]], [[2], [20]]]> : tensor<2x2x1xi32>
  %n = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %lhs = stablehlo.convert %x : (tensor<3x2xi32>) -> tensor<?x2xi32>
  %parts = stablehlo.convert %rhs : (tensor<2x2x1xi32>) -> tensor<?x2x1xi32>
  %sizes = stablehlo.convert %n : (tensor<2xi32>) -> tensor<?xi32>
  %0 = "chlo.ragged_dot"(%lhs, %parts, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<?x2xi32>, tensor<?x2x1xi32>, tensor<?xi32>) -> tensor<?x1xi32>
  %1 = stablehlo.convert %0 : (tensor<?x1xi32>) -> tensor<3x1xi32>
  check.expect_eq_const %1, dense<[[21], [86], [130]]> : tensor<3x1xi32>
  return
}

// numpy: x[:, :1] @ y[:1] and x[:, 1:] @ y[1:]
func.func private @ragged_contraction() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %y = stablehlo.constant dense<[[1], [10], [100]]> : tensor<3x1xi32>
  %sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %lhs = stablehlo.convert %x : (tensor<2x3xi32>) -> tensor<?x3xi32>
  %0 = "chlo.ragged_dot"(%lhs, %y, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0],
      lhs_ragged_dimensions = [1], rhs_group_dimensions = []>
  } : (tensor<?x3xi32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<2x?x1xi32>
  %1 = stablehlo.convert %0 : (tensor<2x?x1xi32>) -> tensor<2x2x1xi32>
  check.expect_eq_const %1, dense<[[[1], [4]], [[320], [650]]]> : tensor<2x2x1xi32>
  return
}
