// RUN: halo-opt %s --stablehlo-legalize-torch-index-select-to-gather --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @along_the_middle
// CHECK: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 3], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 4, 1, 6>}>
// CHECK-SAME: (tensor<4x5x6xf32>, tensor<2x3xi32>) -> tensor<4x2x3x6xf32>
func.func @along_the_middle(%x: tensor<4x5x6xf32>, %i: tensor<2x3xi32>) -> tensor<4x2x3x6xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<4x5x6xf32>, tensor<2x3xi32>) -> tensor<4x2x3x6xf32>
  return %0 : tensor<4x2x3x6xf32>
}

// CHECK-LABEL: func.func @batched
// CHECK: offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2
// CHECK-SAME: slice_sizes = array<i64: 1, 1, 6>
func.func @batched(%x: tensor<4x5x6xf32>, %i: tensor<4x3xi32>) -> tensor<4x3x6xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<4x5x6xf32>, tensor<4x3xi32>) -> tensor<4x3x6xf32>
  return %0 : tensor<4x3x6xf32>
}

// -----

func.func @dynamic(%x: tensor<?xf32>, %i: tensor<3xi32>) -> tensor<3xf32> {
  // expected-error@+1 {{torch_index_select is supported on operands of static shape only}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<?xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
