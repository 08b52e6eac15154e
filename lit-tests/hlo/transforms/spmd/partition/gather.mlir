// RUN: halo-opt %s --halo-partition=partitions=4 --split-input-file | FileCheck %s

// Each partition has rows of a table, and takes those of them that are asked for; others are minus
// zero, and all are added. What lies outside of the table is its nearest row.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[TABLE:.*]]: tensor<8x8xf32>, %[[ROWS:.*]]: tensor<3x1xi32>)
// CHECK: %[[INDEX:.*]] = stablehlo.convert %[[ROWS]]
// CHECK: dense<31> : tensor<1xi64>
// CHECK: %[[CLAMPED:.*]] = stablehlo.clamp %{{.*}}, %[[INDEX]], %{{.*}}
// CHECK: dense<[0, 8, 16, 24]>
// CHECK: %[[LOCAL:.*]] = stablehlo.subtract %[[CLAMPED]]
// CHECK: %[[INSIDE:.*]] = stablehlo.and
// CHECK: %[[GATHERED:.*]] = "stablehlo.gather"(%[[TABLE]], %[[LOCAL]])
// CHECK: dense<-0.000000e+00>
// CHECK: %[[TERM:.*]] = stablehlo.select %{{.*}}, %[[GATHERED]]
// CHECK: "stablehlo.all_reduce"(%[[TERM]])
func.func @rows(%table: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<3x1xi32>) -> tensor<3x8xf32> {
  %0 = "stablehlo.gather"(%table, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<32x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
}

// -----

// A table is scattered to where its rows are: nothing is sent.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @updated
// CHECK-SAME: (%[[TABLE:.*]]: tensor<8x8xf32>, %{{.*}}: tensor<3x1xi32>, %[[UPDATES:.*]]: tensor<3x8xf32>) -> tensor<8x8xf32>
// CHECK: %[[LOCAL:.*]] = stablehlo.subtract
// CHECK: %[[SCATTERED:.*]] = "stablehlo.scatter"(%[[TABLE]], %[[LOCAL]], %[[UPDATES]])
// CHECK: (tensor<8x8xf32>, tensor<3x1xi64>, tensor<3x8xf32>) -> tensor<8x8xf32>
// CHECK: return %[[SCATTERED]]
func.func @updated(%table: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<3x1xi32>, %updates: tensor<3x8xf32>)
    -> (tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = "stablehlo.scatter"(%table, %rows, %updates) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<32x8xf32>, tensor<3x1xi32>, tensor<3x8xf32>) -> tensor<32x8xf32>
  return %0 : tensor<32x8xf32>
}
}

// -----

// Indices of ui64 from 2^63 on are beyond the last row, not before the first.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: , %[[ROWS:[^ ]*]]: tensor<3x1xui64>
// CHECK: %[[LARGEST:.*]] = stablehlo.broadcast_in_dim %{{.*}} : (tensor<ui64>) -> tensor<3x1xui64>
// CHECK: %[[LEAST:.*]] = stablehlo.minimum %[[ROWS]], %[[LARGEST]]
// CHECK: %[[INDEX:.*]] = stablehlo.convert %[[LEAST]] : (tensor<3x1xui64>) -> tensor<3x1xi64>
// CHECK: stablehlo.clamp %{{.*}}, %[[INDEX]], %{{.*}}
func.func @unsigned(%table: tensor<32x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<3x1xui64>) -> tensor<3x8xf32> {
  %0 = "stablehlo.gather"(%table, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<32x8xf32>, tensor<3x1xui64>) -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
}

// -----

// Both parts of a complex number that another partition has are minus zero: a sum with it keeps
// the signs of zeros.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @complex
// CHECK: dense<(-0.000000e+00,-0.000000e+00)>
// CHECK: stablehlo.select
func.func @complex(%table: tensor<32x8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %rows: tensor<3x1xi32>) -> tensor<3x8xcomplex<f32>> {
  %0 = "stablehlo.gather"(%table, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>} : (tensor<32x8xcomplex<f32>>, tensor<3x1xi32>) -> tensor<3x8xcomplex<f32>>
  return %0 : tensor<3x8xcomplex<f32>>
}
}
