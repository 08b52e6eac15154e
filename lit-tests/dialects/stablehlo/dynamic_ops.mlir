// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Ops whose shapes are computed.

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [0, 1] : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %1 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %2 = stablehlo.dynamic_iota %arg2, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %3 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg2, %arg2 : (tensor<?x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %4 = stablehlo.dynamic_reshape %arg0, %arg2 : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %5 = stablehlo.real_dynamic_slice %arg0, %arg2, %arg2, %arg2 : (tensor<?x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %6 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
// CHECK: %7 = stablehlo.set_dimension_size %arg0, %arg3, dim = 1 : (tensor<?x3xf32>, tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 3>>
func.func @shapes(%a: tensor<?x3xf32>, %s: tensor<f32>, %d: tensor<2xi64>, %n: tensor<i32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_iota %d, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_pad %a, %s, %d, %d, %d : (tensor<?x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %4 = stablehlo.dynamic_reshape %a, %d : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %5 = stablehlo.real_dynamic_slice %a, %d, %d, %d : (tensor<?x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %6 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %7 = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<?x3xf32>, tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 3>>
  return
}

// CHECK-LABEL: func.func @windows(
// CHECK: %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<2x2xi32>) -> tensor<1x?x?x2xf32>
// CHECK: %1 = "stablehlo.dynamic_gather"(%arg3, %arg4, %arg5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3x?xf32>
func.func @windows(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>, %p: tensor<2x2xi32>, %b: tensor<5x4xf32>, %i: tensor<3x1xi64>, %z: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<2x2xi32>) -> tensor<1x?x?x2xf32>
  %1 = "stablehlo.dynamic_gather"(%b, %i, %z) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3x?xf32>
  return
}
