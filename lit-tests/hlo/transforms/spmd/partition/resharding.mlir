// RUN: halo-opt %s --halo-partition=partitions=4 --allow-unregistered-dialect | FileCheck %s

// Each way is the one with the fewest bytes.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.*]]: tensor<4x4xf32>, %[[B:.*]]: tensor<8x8xf32>, %[[C:.*]]: tensor<2x8xf32>)
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32>,
    %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}) {
  // Other tiles of the same size: from one partition to another.
  // CHECK: "stablehlo.collective_permute"(%[[A]])
  // CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 0], [1, 2], [2, 1], [3, 3]]>
  // Rows of a whole tensor: nothing is sent.
  // CHECK: stablehlo.dynamic_slice %[[B]], %{{.*}}, sizes = [4, 8]
  // Larger tiles: from those that have the other parts.
  // CHECK: "stablehlo.all_gather"(%[[C]])
  // CHECK-SAME: all_gather_dim = 0
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1], [2, 3]]>
  // Columns instead of rows.
  // CHECK: "stablehlo.all_to_all"(%[[C]])
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1, 2, 3]]>
  // CHECK-SAME: (tensor<2x8xf32>) -> tensor<8x2xf32>
  return %a, %b, %c, %c : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
}
