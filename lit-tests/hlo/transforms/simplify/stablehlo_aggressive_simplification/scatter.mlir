// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// Updates are added to what their sum is added to.

// CHECK-LABEL: func.func @sum_of_scatter
//       CHECK:   %[[SUM:.*]] = "stablehlo.scatter"(%arg0, %arg1, %arg2)
//   CHECK-NOT:   stablehlo.add {{.*}} : tensor<8x4xi32>
//       CHECK:   return %[[SUM]]
func.func @sum_of_scatter(%x: tensor<8x4xi32>, %indices: tensor<3x1xi32>, %updates: tensor<3x4xi32>) -> tensor<8x4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<8x4xi32>
  %0 = "stablehlo.scatter"(%zeros, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %1 = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<8x4xi32>, tensor<3x1xi32>, tensor<3x4xi32>) -> tensor<8x4xi32>
  %2 = stablehlo.add %x, %0 : tensor<8x4xi32>
  return %2 : tensor<8x4xi32>
}

// A sum of small updates counts, though each may be lost in a large number that they are added to.

// CHECK-LABEL: func.func @sum_of_floats
//       CHECK:   %[[SUM:.*]] = "stablehlo.scatter"(%{{.*}}, %arg1, %arg2)
//       CHECK:   stablehlo.add %arg0, %[[SUM]]
func.func @sum_of_floats(%x: tensor<8x4xf32>, %indices: tensor<3x1xi32>, %updates: tensor<3x4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %0 = "stablehlo.scatter"(%zeros, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %1 = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %x, %0 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// A maximum is no sum, and neither is one that starts from ones.

// CHECK-LABEL: func.func @no_sum
//   CHECK-DAG:   %[[ZEROS:.*]] = stablehlo.constant dense<0.000000e+00>
//   CHECK-DAG:   %[[ONES:.*]] = stablehlo.constant dense<1.000000e+00>
//       CHECK:   "stablehlo.scatter"(%[[ZEROS]],
//       CHECK:   "stablehlo.scatter"(%[[ONES]],
//       CHECK:   stablehlo.add %arg0
func.func @no_sum(%x: tensor<8xf32>, %indices: tensor<3x1xi32>, %updates: tensor<3xf32>) -> tensor<8xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<8xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<8xf32>
  %0 = "stablehlo.scatter"(%zeros, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %1 = stablehlo.maximum %old, %update : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %1 = "stablehlo.scatter"(%ones, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = false, unique_indices = false}> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %2 = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %2 = stablehlo.add %x, %0 : tensor<8xf32>
  %3 = stablehlo.add %2, %1 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
