// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @dimension_numbers(
// CHECK: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
// CHECK: %1 = "stablehlo.gather"(%arg2, %arg3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<5x8x3xf32>, tensor<5x7x1xi32>) -> tensor<5x7x3xf32>
// CHECK: %2 = "stablehlo.gather"(%arg0, %arg4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x4xf32>, tensor<3x2xui32>) -> tensor<3xf32>
// CHECK: %3 = "stablehlo.gather"(%arg0, %arg4) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x2xui32>) -> tensor<3x2x4xf32>
func.func @dimension_numbers(%a: tensor<5x4xf32>, %i: tensor<3x1xi64>, %b: tensor<5x8x3xf32>, %j: tensor<5x7x1xi32>, %k: tensor<3x2xui32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  %1 = "stablehlo.gather"(%b, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>}> : (tensor<5x8x3xf32>, tensor<5x7x1xi32>) -> tensor<5x7x3xf32>
  // Scalar slices; an index vector is a row.
  %2 = "stablehlo.gather"(%a, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x4xf32>, tensor<3x2xui32>) -> tensor<3xf32>
  // Every entry is an index of its own.
  %3 = "stablehlo.gather"(%a, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x2xui32>) -> tensor<3x2x4xf32>
  return
}

// CHECK-LABEL: func.func @indices_are_sorted(
// CHECK: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2>}> : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x2xf32>
// CHECK: %1 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> {tag} : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x2xf32>
func.func @indices_are_sorted(%a: tensor<5x4xf32>, %i: tensor<3x1xi64>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2>}> : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x2xf32>
  %1 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>, tag} : (tensor<5x4xf32>, tensor<3x1xi64>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = "stablehlo.gather"(%arg0, %arg3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5xi1>, tensor<3x1xi8>) -> tensor<3xi1>
// CHECK: %1 = "stablehlo.gather"(%arg1, %arg3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5xcomplex<f32>>, tensor<3x1xi8>) -> tensor<3xcomplex<f32>>
// CHECK: %2 = "stablehlo.gather"(%arg2, %arg3) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x1xi8>) -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<5xi1>, %b: tensor<5xcomplex<f32>>, %c: tensor<5x!quant.uniform<i8:f32, 0.5:3>>, %i: tensor<3x1xi8>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5xi1>, tensor<3x1xi8>) -> tensor<3xi1>
  %1 = "stablehlo.gather"(%b, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5xcomplex<f32>>, tensor<3x1xi8>) -> tensor<3xcomplex<f32>>
  %2 = "stablehlo.gather"(%c, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<5x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x1xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
// CHECK: %1 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?x1xi64, #stablehlo.bounds<7, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<7, ?>>
func.func @dynamic(%a: tensor<?x4xf32>, %i: tensor<?x1xi64>, %j: tensor<?x1xi64, #stablehlo.bounds<7, ?>>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  %1 = "stablehlo.gather"(%a, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?x1xi64, #stablehlo.bounds<7, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<7, ?>>
  return
}
