// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @sizes(
// CHECK: %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3x?xf32>
// CHECK: %1 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3x4xf32>
func.func @sizes(%a: tensor<5x4xf32>, %i: tensor<3x1xi64>, %z: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %z) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3x?xf32>
  %1 = "stablehlo.dynamic_gather"(%a, %i, %z) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<5x4xf32>, tensor<3x1xi64>, tensor<2xi64>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @batches(
// CHECK: %0 = "stablehlo.dynamic_gather"(%arg0, %arg1, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<5x8x3xf32>, tensor<5x7x1xi32>, tensor<3xi32>) -> tensor<5x7x?xf32>
func.func @batches(%a: tensor<5x8x3xf32>, %i: tensor<5x7x1xi32>, %z: tensor<3xi32>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %z) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<5x8x3xf32>, tensor<5x7x1xi32>, tensor<3xi32>) -> tensor<5x7x?xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = "stablehlo.dynamic_gather"(%arg0, %arg3, %arg4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xi1>, tensor<?x1xui16>, tensor<1xi8>) -> tensor<?xi1>
// CHECK: %1 = "stablehlo.dynamic_gather"(%arg1, %arg3, %arg4) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xcomplex<f32>>, tensor<?x1xui16>, tensor<1xi8>) -> tensor<?x?xcomplex<f32>>
// CHECK: %2 = "stablehlo.dynamic_gather"(%arg2, %arg3, %arg4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> {tag} : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<?x1xui16>, tensor<1xi8>) -> tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<?xi1>, %b: tensor<?xcomplex<f32>>, %c: tensor<?x!quant.uniform<i8:f32, 0.5:3>>, %i: tensor<?x1xui16>, %z: tensor<1xi8>) {
  %0 = "stablehlo.dynamic_gather"(%a, %i, %z) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xi1>, tensor<?x1xui16>, tensor<1xi8>) -> tensor<?xi1>
  %1 = "stablehlo.dynamic_gather"(%b, %i, %z) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xcomplex<f32>>, tensor<?x1xui16>, tensor<1xi8>) -> tensor<?x?xcomplex<f32>>
  %2 = "stablehlo.dynamic_gather"(%c, %i, %z) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, tag} : (tensor<?x!quant.uniform<i8:f32, 0.5:3>>, tensor<?x1xui16>, tensor<1xi8>) -> tensor<?x!quant.uniform<i8:f32, 0.5:3>>
  return
}
