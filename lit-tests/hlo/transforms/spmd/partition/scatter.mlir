// RUN: halo-opt %s --halo-partition=partitions=4 --split-input-file | FileCheck %s

// The gradient of a table that rows were taken of: each partition sums its own rows.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @gradient
// CHECK-SAME: (%[[ROWS:.*]]: tensor<4x1xi32>, %[[UPDATES:.*]]: tensor<4x8xf32>) -> tensor<2x8xf32>
// CHECK-NOT: stablehlo.all_gather
// CHECK: %[[TERM:.*]] = "stablehlo.scatter"(%{{.*}}, %[[ROWS]], %[[UPDATES]])
// CHECK: %[[SUM:.*]] = "stablehlo.reduce_scatter"(%[[TERM]])
// CHECK-SAME: scatter_dimension = 0
// CHECK: (tensor<8x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: return %[[SUM]]
func.func @gradient(%rows: tensor<16x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %updates: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %0 = "stablehlo.scatter"(%zeros, %rows, %updates) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x8xf32>, tensor<16x1xi32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
}

// -----

// What updates are added to is added once. Positions that do not divide are padded with zeros that
// go to row 0, in no order.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @added
// CHECK-SAME: (%[[TABLE:.*]]: tensor<2x32xf32>, %{{.*}}: tensor<15x1xi32>
// CHECK: stablehlo.select
// CHECK: stablehlo.select
// CHECK: "stablehlo.scatter"
// CHECK-SAME: indices_are_sorted = false
// CHECK-SAME: unique_indices = false
// CHECK: (tensor<2x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<2x32xf32>
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"
// CHECK: stablehlo.add %[[SUM]], %[[TABLE]]
func.func @added(%table: tensor<2x32xf32>,
    %rows: tensor<15x1xi32>,
    %updates: tensor<15x32xf32>)
    -> tensor<2x32xf32> {
  %r = stablehlo.custom_call @Sharding(%rows) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x1xi32>) -> tensor<15x1xi32>
  %u = stablehlo.custom_call @Sharding(%updates) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x32xf32>) -> tensor<15x32xf32>
  %0 = "stablehlo.scatter"(%table, %r, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {indices_are_sorted = true, unique_indices = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<2x32xf32>, tensor<15x1xi32>, tensor<15x32xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}
}
