// RUN: halo-opt %s --stablehlo-compatibility-expander=target=1.0.0 | FileCheck %s
// RUN: halo-opt %s --stablehlo-compatibility-expander=target=1.2.0 | FileCheck %s --check-prefix=MIDDLE
// RUN: halo-opt %s --stablehlo-compatibility-expander=target=1.10.0 | FileCheck %s --check-prefix=NEWER
// RUN: not halo-opt %s --stablehlo-compatibility-expander=target=latest 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: the target version must be of the form #.#.#, but is 'latest'

// CHECK-LABEL: func.func @tangent
// CHECK: %[[SINE:.*]] = stablehlo.sine %arg0 : tensor<4xf32>
// CHECK: %[[COSINE:.*]] = stablehlo.cosine %arg0 : tensor<4xf32>
// CHECK: stablehlo.divide %[[SINE]], %[[COSINE]] : tensor<4xf32>
// MIDDLE: stablehlo.divide
// NEWER: stablehlo.tan
func.func @tangent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tan %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @complex_tangent
// CHECK: %[[REAL:.*]] = stablehlo.real %arg0
// CHECK: %[[SINE:.*]] = stablehlo.sine %[[REAL]]
// CHECK: %[[COSINE:.*]] = stablehlo.cosine %[[REAL]]
// CHECK: %[[TAN:.*]] = stablehlo.divide %[[SINE]], %[[COSINE]]
// CHECK: %[[IMAG:.*]] = stablehlo.imag %arg0
// CHECK: %[[TANH:.*]] = stablehlo.tanh %[[IMAG]]
// CHECK: %[[NUMERATOR:.*]] = stablehlo.complex %[[TAN]], %[[TANH]]
// CHECK: %[[PRODUCT:.*]] = stablehlo.multiply %[[TAN]], %[[TANH]]
// CHECK: %[[NEGATIVE:.*]] = stablehlo.negate %[[PRODUCT]]
// CHECK: %[[DENOMINATOR:.*]] = stablehlo.complex %{{.*}}, %[[NEGATIVE]]
// CHECK: stablehlo.divide %[[NUMERATOR]], %[[DENOMINATOR]] : tensor<2xcomplex<f32>>
func.func @complex_tangent(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.tan %x : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @gather
// CHECK: %[[BATCH:.*]] = stablehlo.iota dim = 1 : tensor<5x2x1xi32>
// CHECK: %[[POSITIONS:.*]] = stablehlo.concatenate %[[BATCH]], %arg1, dim = 2 : (tensor<5x2x1xi32>, tensor<5x2x1xi32>) -> tensor<5x2x2xi32>
// CHECK: "stablehlo.gather"(%arg0, %[[POSITIONS]])
// CHECK-SAME: offset_dims = [2], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, indices_are_sorted = false
// MIDDLE: operand_batching_dims = [0]
func.func @gather(%x: tensor<2x3x4xf32>, %at: tensor<5x2x1xi32>) -> tensor<5x2x4xf32> {
  %0 = "stablehlo.gather"(%x, %at) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [1],
      start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>, indices_are_sorted = false
  }> : (tensor<2x3x4xf32>, tensor<5x2x1xi32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// The batching dimension is too large for i8; positions get a dimension of
// their own; sorted ones stay so, since the batches run with them.
// CHECK-LABEL: func.func @wide_positions
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg1 : (tensor<200xi8>) -> tensor<200xi32>
// CHECK: %[[MATRIX:.*]] = stablehlo.reshape %[[WIDE]] : (tensor<200xi32>) -> tensor<200x1xi32>
// CHECK: %[[BATCH:.*]] = stablehlo.iota dim = 0 : tensor<200x1xi32>
// CHECK: %[[POSITIONS:.*]] = stablehlo.concatenate %[[BATCH]], %[[MATRIX]], dim = 1
// CHECK: start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true
func.func @wide_positions(%x: tensor<200x3xf32>, %at: tensor<200xi8>) -> tensor<200xf32> {
  %0 = "stablehlo.gather"(%x, %at) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>, indices_are_sorted = true
  }> : (tensor<200x3xf32>, tensor<200xi8>) -> tensor<200xf32>
  return %0 : tensor<200xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK: %[[BATCH:.*]] = stablehlo.iota dim = 0 : tensor<2x5x1xi64>
// CHECK: %[[POSITIONS:.*]] = stablehlo.concatenate %[[BATCH]], %arg1, dim = 2
// CHECK: "stablehlo.scatter"(%arg0, %[[POSITIONS]], %arg2)
// CHECK-SAME: inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>, unique_indices = true
// CHECK: stablehlo.return
func.func @scatter(%x: tensor<2x3xf32>, %at: tensor<2x5x1xi64>, %u: tensor<2x5xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.scatter"(%x, %at, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 2>,
    unique_indices = true
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x5x1xi64>, tensor<2x5xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Sizes that are not known may be too large for any type.
// CHECK-LABEL: func.func @dynamic
// CHECK: operand_batching_dims = [0]
func.func @dynamic(%x: tensor<?x3xf32>, %at: tensor<?x1xi32>) -> tensor<?xf32> {
  %0 = "stablehlo.gather"(%x, %at) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0],
      start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>
  }> : (tensor<?x3xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
