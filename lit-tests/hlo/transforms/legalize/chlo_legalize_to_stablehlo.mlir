// RUN: halo-opt %s --chlo-legalize-to-stablehlo | FileCheck %s
// RUN: halo-opt %s --pass-pipeline='builtin.module(chlo-legalize-to-stablehlo{keep=atan,erf})' | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @broadcast
// CHECK: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.add %arg0, %[[WIDE]] : tensor<4x3xf32>
func.func @broadcast(%a: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Both operands grow where each has a dimension of size 1.
// CHECK-LABEL: func.func @both
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
func.func @both(%a: tensor<4x1xf32>, %b: tensor<1x3xf32>) -> tensor<4x3xi1> {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x1xf32>, tensor<1x3xf32>) -> tensor<4x3xi1>
  return %0 : tensor<4x3xi1>
}

// Explicit dimensions place the operand of lower rank.
// CHECK-LABEL: func.func @placed
// CHECK: stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
func.func @placed(%a: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<4x3xf32> {
  %0 = chlo.broadcast_multiply %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @choice
// CHECK: %[[FALSE:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.select %arg0, %arg1, %[[FALSE]]
func.func @choice(%p: tensor<4x3xi1>, %a: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<4x3xi1>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// A condition of no dimensions stays one.
// CHECK-LABEL: func.func @choice_by_scalar
// CHECK: %[[FALSE:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.select %arg0, %arg1, %[[FALSE]] : tensor<i1>, tensor<4x3xf32>
func.func @choice_by_scalar(%p: tensor<i1>, %a: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Each op is rewritten where it stands: constants come where they are used,
// equal ones of two ops are not merged, and what has no use stays.
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT: %[[UNUSED:.*]] = stablehlo.constant dense<2> : tensor<4xi32>
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: stablehlo.atan2 %[[SUM]], %[[ONE]]
// CHECK-NEXT: %[[OTHER:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: %[[ANGLE:.*]] = stablehlo.atan2 %arg0, %[[OTHER]]
// CHECK-NEXT: return %[[ANGLE]]
func.func @in_place(%a: tensor<4xf32>) -> tensor<4xf32> {
  %unused = chlo.constant dense<2> : tensor<4xi32>
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = chlo.atan %0 : tensor<4xf32> -> tensor<4xf32>
  %2 = chlo.atan %a : tensor<4xf32> -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// By the half angle; the constant is there once, as the formula names it once.
// CHECK-LABEL: func.func @arcsine
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf64>
// CHECK-NEXT: %[[BELOW:.*]] = stablehlo.subtract %[[ONE]], %arg0
// CHECK-NEXT: %[[ABOVE:.*]] = stablehlo.add %[[ONE]], %arg0
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[BELOW]], %[[ABOVE]]
// CHECK-NEXT: %[[ROOT:.*]] = stablehlo.sqrt %[[PRODUCT]]
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[ONE]], %[[ROOT]]
// CHECK-NEXT: %[[HALF:.*]] = stablehlo.atan2 %arg0, %[[SUM]]
// CHECK-NEXT: %[[ANGLE:.*]] = stablehlo.add %[[HALF]], %[[HALF]]
// CHECK-NEXT: return %[[ANGLE]]
func.func @arcsine(%a: tensor<4xf64>) -> tensor<4xf64> {
  %0 = chlo.asin %a : tensor<4xf64> -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

// Of the halves of a product of 64 bits; what is negative was counted as 2^64 too
// much.
// CHECK-LABEL: func.func @mulhi_64
// CHECK: %[[A:.*]] = stablehlo.convert %arg0 : (tensor<4xi64>) -> tensor<4xui64>
// CHECK: %[[B:.*]] = stablehlo.convert %arg1 : (tensor<4xi64>) -> tensor<4xui64>
// CHECK: %[[A_HIGH:.*]] = stablehlo.shift_right_logical %[[A]], %{{.*}}
// CHECK: %[[B_HIGH:.*]] = stablehlo.shift_right_logical %[[B]], %{{.*}}
// CHECK: %[[HIGHEST:.*]] = stablehlo.multiply %[[A_HIGH]], %[[B_HIGH]]
// CHECK: %[[NEGATIVE:.*]] = stablehlo.compare LT, %arg0
// CHECK: %[[EXCESS:.*]] = stablehlo.select %[[NEGATIVE]]
// CHECK: stablehlo.subtract %{{.*}}, %[[EXCESS]]
func.func @mulhi_64(%a: tensor<4xi64>, %b: tensor<4xi64>) -> tensor<4xi64> {
  %0 = chlo.mulhi %a, %b : tensor<4xi64>, tensor<4xi64> -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// The tangent of complex numbers is an op of StableHLO.
// CHECK-LABEL: func.func @complex_tangent
// CHECK-NEXT: %[[TAN:.*]] = stablehlo.tan %arg0 : tensor<4xcomplex<f32>>
// CHECK-NEXT: return %[[TAN]]
func.func @complex_tangent(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = chlo.tan %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @square
// CHECK: stablehlo.multiply %arg0, %arg0
func.func @square(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @conj
// CHECK: %[[REAL:.*]] = stablehlo.real %arg0
// CHECK: %[[IMAGINARY:.*]] = stablehlo.imag %arg0
// CHECK: %[[NEGATED:.*]] = stablehlo.negate %[[IMAGINARY]]
// CHECK: stablehlo.complex %[[REAL]], %[[NEGATED]]
func.func @conj(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = chlo.conj %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: stablehlo.constant dense<1.000000e+00> : tensor<2x3xf32>
// CHECK-DAG: stablehlo.constant dense<[1, 2]> : tensor<2xi32>
func.func @constants(%a: tensor<2x3xi8>) -> (tensor<2xi32>, tensor<2x3xf32>) {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = "chlo.constant_like"(%a) {value = 1.0 : f32} : (tensor<2x3xi8>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2xi32>, tensor<2x3xf32>
}

// A format may lack infinities: the test is made in a wider one.
// CHECK-LABEL: func.func @infinities
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
// CHECK: %[[SIZE:.*]] = stablehlo.abs %[[WIDE]]
// CHECK: %[[INFINITY:.*]] = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
// CHECK: stablehlo.compare EQ, %[[SIZE]], %[[INFINITY]]
func.func @infinities(%a: tensor<4xf8E4M3FN>) -> tensor<4xi1> {
  %0 = chlo.is_inf %a : tensor<4xf8E4M3FN> -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// Functions of narrow floats are computed in f32. A backend keeps those that
// it has code for, but not those of complex numbers.
// CHECK-LABEL: func.func @atan
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<4xbf16>) -> tensor<4xf32>
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[ANGLE:.*]] = stablehlo.atan2 %[[WIDE]], %[[ONE]] : tensor<4xf32>
// CHECK: stablehlo.convert %[[ANGLE]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK-NOT: chlo.
// KEEP-LABEL: func.func @atan
// KEEP: chlo.atan %arg0
// KEEP-NOT: chlo.
// KEEP: stablehlo.complex
func.func @atan(%a: tensor<4xbf16>, %b: tensor<4xcomplex<f32>>) -> (tensor<4xbf16>, tensor<4xcomplex<f32>>) {
  %0 = chlo.atan %a : tensor<4xbf16> -> tensor<4xbf16>
  %1 = chlo.atan %b : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0, %1 : tensor<4xbf16>, tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @kernel
// CHECK-NOT: chlo.
// CHECK: stablehlo.complex
func.func @kernel(%a: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = chlo._asin_acos_kernel %a : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}

// CHECK-LABEL: func.func @neighbour
// CHECK-DAG: stablehlo.bitcast_convert %arg0 : (tensor<4xf16>) -> tensor<4xi16>
// CHECK-DAG: stablehlo.bitcast_convert %arg1 : (tensor<4xf16>) -> tensor<4xi16>
// CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<4xi16>) -> tensor<4xf16>
func.func @neighbour(%a: tensor<4xf16>, %b: tensor<4xf16>) -> tensor<4xf16> {
  %0 = chlo.broadcast_next_after %a, %b : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func.func @mulhi
// CHECK: %[[PRODUCT:.*]] = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<4xi16>
// CHECK: %[[SHIFTED:.*]] = stablehlo.shift_right_arithmetic %[[PRODUCT]]
// CHECK: stablehlo.convert %[[SHIFTED]] : (tensor<4xi16>) -> tensor<4xi8>
func.func @mulhi(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %0 = chlo.mulhi %a, %b : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// NaN is above infinity, and of equal entries the first comes first.
// CHECK-LABEL: func.func @top_k
// CHECK: %[[INDICES:.*]] = stablehlo.iota dim = 1 : tensor<2x7xi32>
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"(%arg0, %[[INDICES]]) <{dimension = 1 : i64, is_stable = true}>
// CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, TOTALORDER
// CHECK: stablehlo.slice %[[SORTED]]#0 [0:2, 0:3]
// CHECK: stablehlo.slice %[[SORTED]]#1 [0:2, 0:3]
func.func @top_k(%a: tensor<2x7xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%a, k = 3) : tensor<2x7xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}

// CHECK-LABEL: func.func @scan
// CHECK: %[[LOOP:.*]]:3 = stablehlo.while
// CHECK: stablehlo.dynamic_slice %arg0
// CHECK: stablehlo.dynamic_update_slice
// CHECK: return %[[LOOP]]#2, %[[LOOP]]#1
func.func @scan(%input: tensor<4xi32>, %init: tensor<i32>) -> (tensor<4xi32>, tensor<i32>) {
  %0:2 = chlo.scan(%input) inits(%init) dimension=0 {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1, %1 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<4xi32>, tensor<i32>
}

// Each group of rows meets its part of the right operand, and the products are
// added.
// CHECK-LABEL: func.func @ragged_rows
// CHECK: %[[FIRST:.*]] = stablehlo.constant dense<0> : tensor<i64>
// CHECK: %[[ROW:.*]] = stablehlo.iota dim = 0 : tensor<11x1xi64>
// CHECK: %[[ZEROS:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<11x5xf32>
// CHECK: %[[PART:.*]] = stablehlo.slice %arg2 [0:1]
// CHECK: %[[SIZE:.*]] = stablehlo.reshape %[[PART]] : (tensor<1xi64>) -> tensor<i64>
// CHECK: %[[SECOND:.*]] = stablehlo.add %[[FIRST]], %[[SIZE]]
// CHECK: %[[START:.*]] = stablehlo.broadcast_in_dim %[[FIRST]], dims = []
// CHECK: %[[LIMIT:.*]] = stablehlo.broadcast_in_dim %[[SECOND]], dims = []
// CHECK: %[[ROWS:.*]] = stablehlo.broadcast_in_dim %[[ROW]], dims = [0, 1] : (tensor<11x1xi64>) -> tensor<11x5xi64>
// CHECK: %[[BEHIND:.*]] = stablehlo.compare GE, %[[ROWS]], %[[START]]
// CHECK: %[[BEFORE:.*]] = stablehlo.compare LT, %[[ROWS]], %[[LIMIT]]
// CHECK: %[[INSIDE:.*]] = stablehlo.and %[[BEHIND]], %[[BEFORE]]
// CHECK: %[[OWN:.*]] = stablehlo.select %[[INSIDE]], %arg0, %[[ZEROS]]
// CHECK: %[[SLICE:.*]] = stablehlo.slice %arg1 [0:1, 0:5, 0:7]
// CHECK: %[[WEIGHTS:.*]] = stablehlo.reshape %[[SLICE]] : (tensor<1x5x7xf32>) -> tensor<5x7xf32>
// CHECK: %[[ONE:.*]] = stablehlo.dot_general %[[OWN]], %[[WEIGHTS]], contracting_dims = [1] x [0], precision = [HIGH, DEFAULT]
// CHECK-SAME: (tensor<11x5xf32>, tensor<5x7xf32>) -> tensor<11x7xf32>
// CHECK: %[[TWO:.*]] = stablehlo.dot_general
// CHECK: %[[SUM:.*]] = stablehlo.add %[[ONE]], %[[TWO]]
// CHECK: %[[THREE:.*]] = stablehlo.dot_general
// CHECK: stablehlo.add %[[SUM]], %[[THREE]]
func.func @ragged_rows(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>,
    precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>]
  } : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// Groups of a contracting dimension come first in the result.
// CHECK-LABEL: func.func @ragged_contraction
// CHECK: stablehlo.iota dim = 2 : tensor<1x1x11xi64>
// CHECK: %[[PRODUCT:.*]] = stablehlo.dot_general %{{.*}}, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
// CHECK-SAME: (tensor<2x4x11xf32>, tensor<2x11x7xf32>) -> tensor<2x4x7xf32>
// CHECK: %[[PART:.*]] = stablehlo.reshape %[[PRODUCT]] : (tensor<2x4x7xf32>) -> tensor<1x2x4x7xf32>
// CHECK: stablehlo.concatenate %[[PART]], %{{.*}}, %{{.*}}, dim = 0
func.func @ragged_contraction(%lhs: tensor<2x4x11xf32>, %rhs: tensor<2x11x7xf32>, %sizes: tensor<3xi64>) -> tensor<3x2x4x7xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [2], rhs_group_dimensions = []>
  } : (tensor<2x4x11xf32>, tensor<2x11x7xf32>, tensor<3xi64>) -> tensor<3x2x4x7xf32>
  return %0 : tensor<3x2x4x7xf32>
}

// Groups of batches change nothing.
// CHECK-LABEL: func.func @ragged_batches
// CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @ragged_batches(%lhs: tensor<2x4x11xf32>, %rhs: tensor<2x11x7xf32>, %sizes: tensor<3xi64>) -> tensor<2x4x7xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
      lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  } : (tensor<2x4x11xf32>, tensor<2x11x7xf32>, tensor<3xi64>) -> tensor<2x4x7xf32>
  return %0 : tensor<2x4x7xf32>
}

// Of groups whose number nothing tells, one product is made.
// CHECK-LABEL: func.func @ragged_unknown
// CHECK: stablehlo.dot_general %{{.*}}, %arg1, contracting_dims = [2, 0] x [1, 0]
// CHECK-SAME: (tensor<?x11x5xf32>, tensor<?x5x7xf32>) -> tensor<11x7xf32>
func.func @ragged_unknown(%lhs: tensor<11x5xf32>, %rhs: tensor<?x5x7xf32>, %sizes: tensor<?xi32>) -> tensor<11x7xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [], rhs_batching_dimensions = [],
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<11x5xf32>, tensor<?x5x7xf32>, tensor<?xi32>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}
