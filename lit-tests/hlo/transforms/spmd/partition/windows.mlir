// RUN: halo-opt %s --halo-partition=partitions=4 --allow-unregistered-dialect --split-input-file | FileCheck %s

// Neighbours send the elements at the edges of their tiles; zeros are outside of the image.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: (%[[A:.*]]: tensor<1x4x1xf32>, %[[K:.*]]: tensor<3x1x1xf32>) -> tensor<1x4x1xf32>
func.func @convolution(%a: tensor<1x16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %k: tensor<3x1x1xf32>)
    -> tensor<1x16x1xf32> {
  // CHECK: %[[LAST:.*]] = stablehlo.slice %[[A]] [0:1, 3:4, 0:1]
  // CHECK: %[[BEFORE:.*]] = "stablehlo.collective_permute"(%[[LAST]])
  // CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]>
  // CHECK: %[[FIRST:.*]] = stablehlo.slice %[[A]] [0:1, 0:1, 0:1]
  // CHECK: %[[BEHIND:.*]] = "stablehlo.collective_permute"(%[[FIRST]])
  // CHECK-SAME{LITERAL}: source_target_pairs = dense<[[1, 0], [2, 1], [3, 2]]>
  // CHECK: %[[ALL:.*]] = stablehlo.concatenate %[[BEFORE]], %[[A]], %[[BEHIND]], dim = 1
  // CHECK: %[[FILLED:.*]] = stablehlo.select %{{.*}}, %[[ALL]], %{{.*}} : tensor<1x6x1xi1>, tensor<1x6x1xf32>
  // CHECK: stablehlo.convolution(%[[FILLED]], %[[K]])
  // CHECK-SAME{LITERAL}: pad = [[0, 0]]
  // CHECK-SAME: -> tensor<1x4x1xf32>
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[1, 1]]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x16x1xf32>, tensor<3x1x1xf32>) -> tensor<1x16x1xf32>
  return %0 : tensor<1x16x1xf32>
}
}

// -----

// A slice that begins within a tile.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @slice
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>) -> tensor<3xf32>
func.func @slice(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<12xf32> {
  // CHECK: "stablehlo.collective_permute"
  // CHECK: %[[ALL:.*]] = stablehlo.concatenate
  // CHECK: %[[WINDOW:.*]] = stablehlo.dynamic_slice %[[ALL]], %{{.*}}, sizes = [3]
  // CHECK: stablehlo.slice %[[WINDOW]] [0:3]
  %0 = stablehlo.slice %a [2:14] : (tensor<16xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}
}

// -----

// Positions outside are the initial value of a reduction, or what an op pads with.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @filled
func.func @filled(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<f32>)
    -> (tensor<16xf32>, tensor<20xf32>) {
  // CHECK: %[[FILL:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<6xf32>
  // CHECK: %[[ALL:.*]] = stablehlo.select %{{.*}}, %{{.*}}, %[[FILL]]
  // CHECK: "stablehlo.reduce_window"(%[[ALL]], %arg1)
  // CHECK-SAME{LITERAL}: padding = dense<0>
  // CHECK: (tensor<6xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = "stablehlo.reduce_window"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  // CHECK: %[[PADDED:.*]] = stablehlo.select
  // CHECK: stablehlo.pad %[[PADDED]], %arg1, low = [0], high = [0], interior = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %2 = stablehlo.pad %a, %b, low = [1], high = [3], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<20xf32>
  return %0, %2 : tensor<16xf32>, tensor<20xf32>
}
}
