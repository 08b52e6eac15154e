// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Constants, and ops that move or regroup elements.

// CHECK-LABEL: func.func @constants(
// CHECK: %c = stablehlo.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi16>
// CHECK: %cst = stablehlo.constant dense<1.500000e+00> : tensor<4xf32>
// CHECK: %cst_0 = stablehlo.constant {tag = "x"} dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>
// CHECK: %c_1 = stablehlo.constant dense<true> : tensor<i1>
// CHECK: %0 = stablehlo.iota dim = 1 : tensor<2x5xui8>
func.func @constants() {
  %c = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi16>
  %cst = stablehlo.constant dense<1.500000e+00> : tensor<4xf32>
  %cst_0 = stablehlo.constant {tag = "x"} dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>
  %c_1 = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.iota dim = 1 : tensor<2x5xui8>
  return
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK: %0 = stablehlo.broadcast %arg0, sizes = [2, 4] : (tensor<3xi32>) -> tensor<2x4x3xi32>
// CHECK: %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: %2 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
func.func @broadcasts(%a: tensor<3xi32>, %s: tensor<f32>) {
  %0 = stablehlo.broadcast %a, sizes = [2, 4] : (tensor<3xi32>) -> tensor<2x4x3xi32>
  %1 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @rearrangements(
// CHECK: %0 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK: %1 = stablehlo.bitcast_convert %arg0 : (tensor<2x3x4xf32>) -> tensor<2x3x4x4xi8>
// CHECK: %2 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK: %3 = stablehlo.reverse %arg0, dims = [0, 2] : tensor<2x3x4xf32>
func.func @rearrangements(%a: tensor<2x3x4xf32>) {
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.bitcast_convert %a : (tensor<2x3x4xf32>) -> tensor<2x3x4x4xi8>
  %2 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %3 = stablehlo.reverse %a, dims = [0, 2] : tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @slices(
// CHECK: %0 = stablehlo.slice %arg0 [2:8:3, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>
// CHECK: %1 = stablehlo.slice %arg3 [] : (tensor<f32>) -> tensor<f32>
// CHECK: %2 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [2, 3] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK: %3 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 : (tensor<8x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
// CHECK: %4 = stablehlo.pad %arg1, %arg3, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
// CHECK: %5 = stablehlo.concatenate %arg1, %arg1, %arg1, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
// CHECK: %6 = stablehlo.concatenate %arg1, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @slices(%a: tensor<8x6xf32>, %b: tensor<2x3xf32>, %i: tensor<i32>, %s: tensor<f32>) {
  %0 = stablehlo.slice %a [2:8:3, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>
  %1 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 3] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %3 = stablehlo.dynamic_update_slice %a, %b, %i, %i : (tensor<8x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  %4 = stablehlo.pad %b, %s, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  %5 = stablehlo.concatenate %b, %b, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  %6 = stablehlo.concatenate %b, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @indexed(
// CHECK: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
// CHECK: %1 = "stablehlo.torch_index_select"(%arg0, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
func.func @indexed(%a: tensor<5x4xf32>, %i: tensor<3x1xi64>, %j: tensor<2xi32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  %1 = "stablehlo.torch_index_select"(%a, %j) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}
