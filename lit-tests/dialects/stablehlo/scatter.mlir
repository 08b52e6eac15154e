// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: %2 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
// CHECK: %1 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: stablehlo.return %arg4 : tensor<f32>
// CHECK: }) {tag} : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
func.func @attributes(%a: tensor<4x6xf32>, %i: tensor<2x1xi32>, %u: tensor<2x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {tag} : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: func.func @batches(
// CHECK: %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: stablehlo.return %arg4 : tensor<f32>
// CHECK: }) : (tensor<5x8x3xf32>, tensor<5x7x1xui8>, tensor<5x7x3xf32>) -> tensor<5x8x3xf32>
func.func @batches(%a: tensor<5x8x3xf32>, %i: tensor<5x7x1xui8>, %u: tensor<5x7x3xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<5x8x3xf32>, tensor<5x7x1xui8>, tensor<5x7x3xf32>) -> tensor<5x8x3xf32>
  return
}

// CHECK-LABEL: func.func @two_inputs(
// CHECK: %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
// CHECK: ^bb0(%arg5: tensor<f32>, %arg6: tensor<complex<f32>>, %arg7: tensor<f32>, %arg8: tensor<complex<f32>>):
// CHECK: stablehlo.return %arg7, %arg8 : tensor<f32>, tensor<complex<f32>>
// CHECK: }) : (tensor<?xf32>, tensor<?xcomplex<f32>>, tensor<?x1xi64>, tensor<?xf32>, tensor<?xcomplex<f32>>) -> (tensor<?xf32>, tensor<?xcomplex<f32>>)
func.func @two_inputs(%a: tensor<?xf32>, %b: tensor<?xcomplex<f32>>, %i: tensor<?x1xi64>, %u: tensor<?xf32>, %v: tensor<?xcomplex<f32>>) {
  %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<complex<f32>>, %z: tensor<f32>, %w: tensor<complex<f32>>):
    stablehlo.return %z, %w : tensor<f32>, tensor<complex<f32>>
  }) : (tensor<?xf32>, tensor<?xcomplex<f32>>, tensor<?x1xi64>, tensor<?xf32>, tensor<?xcomplex<f32>>) -> (tensor<?xf32>, tensor<?xcomplex<f32>>)
  return
}
