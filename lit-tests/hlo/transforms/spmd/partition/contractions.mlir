// RUN: halo-opt %s --halo-partition=partitions=4 --allow-unregistered-dialect --split-input-file | FileCheck %s

// A dimension that is contracted and divided: partitions have terms of the sum.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @terms
// CHECK-SAME: (%[[A:.*]]: tensor<8x2xf32>, %[[B:.*]]: tensor<2x6xf32>) -> tensor<8x6xf32>
func.func @terms(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  // CHECK-NEXT: %[[DOT:.*]] = stablehlo.dot_general %[[A]], %[[B]], contracting_dims = [1] x [0]
  // CHECK-SAME: (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
  // CHECK-NEXT: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[DOT]])
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1, 2, 3]]>
  // CHECK: stablehlo.add
  // CHECK: return %[[SUM]]
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
}

// -----

// The sum is wanted in tiles.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @scattered
// CHECK: %[[DOT:.*]] = stablehlo.dot_general
// CHECK: %[[SUM:.*]] = "stablehlo.reduce_scatter"(%[[DOT]])
// CHECK-SAME: scatter_dimension = 0
// CHECK: (tensor<8x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: return %[[SUM]]
func.func @scattered(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
}

// -----

// A contracted dimension that does not divide: padding is filled with zeros on both sides.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @padded
// CHECK: %[[INSIDE:.*]] = stablehlo.and
// CHECK: %[[EVERYWHERE:.*]] = stablehlo.broadcast_in_dim %[[INSIDE]], dims = [1] : (tensor<2xi1>) -> tensor<3x2xi1>
// CHECK: %[[A:.*]] = stablehlo.select %[[EVERYWHERE]]
// CHECK: %[[B:.*]] = stablehlo.select
// CHECK: stablehlo.dot_general %[[A]], %[[B]], contracting_dims = [1] x [0]
// CHECK-SAME: (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
// CHECK: all_reduce
func.func @padded(%a: tensor<3x7xf32>, %b: tensor<7x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<3x7xf32>) -> tensor<3x7xf32>
  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<3x7xf32>, tensor<7x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}
}

// -----

// Images along x; the kernel's groups of features along y.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @groups
// CHECK-NOT: all_gather
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 2
// CHECK-SAME: (tensor<1x8x4xf32>, tensor<3x2x4xf32>) -> tensor<1x6x4xf32>
func.func @groups(%a: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, %k: tensor<3x2x8xf32>)
    -> tensor<2x6x8xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {feature_group_count = 4 : i64, batch_group_count = 1 : i64}
    : (tensor<2x8x8xf32>, tensor<3x2x8xf32>) -> tensor<2x6x8xf32>
  return %0 : tensor<2x6x8xf32>
}
}
