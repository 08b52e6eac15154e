// RUN: halo-opt %s --halo-partition=partitions=4 --split-input-file | FileCheck %s

// Two halves: each partition gets the two tiles of one operand that its part is made of.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @halves
// CHECK-SAME: (%[[A:.*]]: tensor<16xf32>, %[[B:.*]]: tensor<16xf32>) -> tensor<32xf32>
// CHECK-NOT: all_gather
// CHECK: "stablehlo.collective_permute"(%[[A]])
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 0], [2, 1]]>
// CHECK: "stablehlo.collective_permute"(%[[A]])
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[1, 0], [3, 1]]>
// CHECK: "stablehlo.collective_permute"(%[[B]])
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 2], [2, 3]]>
// CHECK: "stablehlo.collective_permute"(%[[B]])
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[1, 2], [3, 3]]>
// CHECK: stablehlo.select
// CHECK-SAME: tensor<32xi1>, tensor<32xf32>
// CHECK: return %{{.*}} : tensor<32xf32>
func.func @halves(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %b: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  return %0 : tensor<128xf32>
}
}

// -----

// A shift by one: neighbours send one element.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @shift
// CHECK-NOT: all_gather
// CHECK: stablehlo.collective_permute
// CHECK-SAME: (tensor<1xf32>) -> tensor<1xf32>
// CHECK-NOT: all_gather
// CHECK: return
func.func @shift(%a: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<1xf32>)
    -> (tensor<65xf32>, tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.slice %a [1:64] : (tensor<64xf32>) -> tensor<63xf32>
  %1 = stablehlo.concatenate %0, %b, dim = 0 : (tensor<63xf32>, tensor<1xf32>) -> tensor<64xf32>
  %2 = stablehlo.constant dense<0.0> : tensor<65xf32>
  return %2, %1 : tensor<65xf32>, tensor<64xf32>
}
}

// -----

// The partition at the other end has the tile that a reversed one is made of.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @reversed
// CHECK-SAME: (%[[A:.*]]: tensor<4x3xf32>)
// CHECK: %[[OTHER:.*]] = "stablehlo.collective_permute"(%[[A]])
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[3, 0], [2, 1], [1, 2], [0, 3]]>
// CHECK: %[[REVERSED:.*]] = stablehlo.reverse %[[OTHER]], dims = [0, 1]
// CHECK: return %[[REVERSED]]
func.func @reversed(%a: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}
}
