// RUN: halo-opt %s --hlo-test-speculatability --allow-unregistered-dialect | FileCheck %s

// What is claimed rightly goes away, and what is not stays.

// CHECK-LABEL: func.func @claims
// CHECK-NEXT: %[[ABS:.*]] = stablehlo.abs %arg0 : tensor<2xf32>
// CHECK-NEXT: "hlo_test_speculatability.is_not_speculatable"(%[[ABS]])
// CHECK-NEXT: %[[ADD:.*]] = stablehlo.add %arg1, %arg1 : tensor<?xf32>
// CHECK-NEXT: "hlo_test_speculatability.is_speculatable"(%[[ADD]])
// CHECK-NEXT: return
func.func @claims(%a: tensor<2xf32>, %b: tensor<?xf32>) {
  %0 = stablehlo.abs %a : tensor<2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<2xf32>) -> ()
  %1 = stablehlo.add %b, %b : tensor<?xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<?xf32>) -> ()
  return
}

// An op that has another use is not asked about.
// CHECK-LABEL: func.func @used
// CHECK-NEXT: stablehlo.abs
// CHECK-NEXT: is_speculatable
func.func @used(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.abs %a : tensor<2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2xf32>) -> ()
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @sizes_of_results
// CHECK-NEXT: return
func.func @sizes_of_results(%s: tensor<2x3xf32>, %d: tensor<?x3xf32>, %e: tensor<2x?xf32>, %f: tensor<f32>) {
  %0 = stablehlo.tanh %s : (tensor<2x3xf32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<?x3xf32>) -> ()
  %1 = stablehlo.tanh %d : (tensor<?x3xf32>) -> tensor<2x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<2x3xf32>) -> ()
  %2 = stablehlo.transpose %d, dims = [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<3x?xf32>) -> ()
  %3 = stablehlo.transpose %e, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<3x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<3x?xf32>) -> ()
  %4 = stablehlo.bitcast_convert %d : (tensor<?x3xf32>) -> tensor<?x3x4xi8>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<?x3x4xi8>) -> ()
  %5 = stablehlo.bitcast_convert %d : (tensor<?x3xf32>) -> tensor<2x3x4xi8>
  "hlo_test_speculatability.is_not_speculatable"(%5) : (tensor<2x3x4xi8>) -> ()
  %6 = stablehlo.pad %e, %f, low = [1, 1], high = [0, 0], interior = [0, 0] : (tensor<2x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  "hlo_test_speculatability.is_speculatable"(%6) : (tensor<3x?xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @sizes_of_operands
// CHECK-NEXT: return
func.func @sizes_of_operands(%s: tensor<2x3xf32>, %d: tensor<?x3xf32>, %e: tensor<2x?xf32>) {
  %0 = stablehlo.multiply %s, %s : tensor<2x3xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2x3xf32>) -> ()
  %1 = stablehlo.multiply %d, %d : tensor<?x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<?x3xf32>) -> ()
  %2 = stablehlo.reshape %d : (tensor<?x3xf32>) -> tensor<6xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<6xf32>) -> ()
  %3 = stablehlo.concatenate %d, %s, dim = 0 : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_speculatable"(%3) : (tensor<?x3xf32>) -> ()
  %4 = stablehlo.concatenate %e, %s, dim = 0 : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%4) : (tensor<?x3xf32>) -> ()
  %5 = stablehlo.dot_general %d, %s, contracting_dims = [1] x [1] : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%5) : (tensor<?x2xf32>) -> ()
  %6 = stablehlo.dot_general %e, %s, contracting_dims = [1] x [1] : (tensor<2x?xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%6) : (tensor<2x2xf32>) -> ()
  %7 = stablehlo.convolution(%d, %s) dim_numbers = [b, f]x[o, i]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x2xf32>
  "hlo_test_speculatability.is_speculatable"(%7) : (tensor<?x2xf32>) -> ()
  %8 = stablehlo.convolution(%d, %s) dim_numbers = [b, f]x[o, i]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
  "hlo_test_speculatability.is_not_speculatable"(%8) : (tensor<4x2xf32>) -> ()
  return
}

// The shapes are known, and the constants go with the ops that used them.
// CHECK-LABEL: func.func @known_shapes
// CHECK-NEXT: return
func.func @known_shapes(%a: tensor<4xf32>, %one: tensor<1xf32>, %shape: tensor<2xi64>, %size: tensor<i32>) {
  %c0 = stablehlo.constant dense<2> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %a, %c0 : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  "hlo_test_speculatability.is_speculatable"(%0) : (tensor<2x2xf32>) -> ()
  %1 = stablehlo.dynamic_reshape %a, %shape : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<?x?xf32>) -> ()
  %2 = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = [0] : (tensor<1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_speculatable"(%2) : (tensor<?x?xf32>) -> ()
  %3 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [0] : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  "hlo_test_speculatability.is_not_speculatable"(%3) : (tensor<?x?xf32>) -> ()
  %c4 = stablehlo.constant dense<4> : tensor<2xi64>
  %4 = stablehlo.dynamic_broadcast_in_dim %a, %c4, dims = [0] : (tensor<4xf32>, tensor<2xi64>) -> tensor<4x?xf32>
  "hlo_test_speculatability.is_speculatable"(%4) : (tensor<4x?xf32>) -> ()
  %5 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi32>
  "hlo_test_speculatability.is_speculatable"(%5) : (tensor<?x?xi32>) -> ()
  %6 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi64>) -> tensor<?x2xi32>
  "hlo_test_speculatability.is_not_speculatable"(%6) : (tensor<?x2xi32>) -> ()
  %7 = stablehlo.set_dimension_size %a, %size, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  "hlo_test_speculatability.is_speculatable"(%7) : (tensor<?xf32>) -> ()
  return
}

// Promises about elements, and elements without a result.
// CHECK-LABEL: func.func @elements
// CHECK-NEXT: return
func.func @elements(%a: tensor<3x3xf32>) {
  %0 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%0) : (tensor<3x3xf32>) -> ()
  %1 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  "hlo_test_speculatability.is_speculatable"(%1) : (tensor<3x3xf32>) -> ()
  %2 = stablehlo.cholesky %a : tensor<3x3xf32>
  "hlo_test_speculatability.is_not_speculatable"(%2) : (tensor<3x3xf32>) -> ()
  return
}

// Ops with regions may where these may.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT: return
func.func @regions(%s: tensor<3xf32>, %d: tensor<?xf32>, %z: tensor<f32>, %p: tensor<i1>) {
  %0 = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  "hlo_test_speculatability.is_recursively_speculatable"(%0) : (tensor<f32>) -> ()
  %1 = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  "hlo_test_speculatability.is_not_speculatable"(%1) : (tensor<f32>) -> ()
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %z : tensor<f32>
  }, {
    stablehlo.return %z : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  "hlo_test_speculatability.is_recursively_speculatable"(%2) : (tensor<f32>) -> ()
  return
}
