// RUN: halo-opt %s --halo-partition=partitions=4 --split-input-file | FileCheck %s

// An embedding that is stored in parts and used twice, once transposed, is gathered once.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["d"=4]>}} {
// CHECK-LABEL: func.func @main
// CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: "stablehlo.gather"(%[[WHOLE]], %arg1)
// CHECK: %[[COLUMNS:.*]] = stablehlo.transpose %[[WHOLE]], dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
// CHECK-NOT: all_gather
// CHECK: stablehlo.dot_general %{{.*}}, %[[COLUMNS]]
func.func @main(%w: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>},
                %i: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>})
    -> (tensor<8x16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}, {}]>}) {
  %0 = "stablehlo.gather"(%w, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 32>}
    : (tensor<64x32xf32>, tensor<8x16xi32>) -> tensor<8x16x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16x32xf32>
  %2 = stablehlo.transpose %w, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [2] x [0] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
  return %3 : tensor<8x16x64xf32>
}
}

// -----

// The other way round, of three dimensions.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["d"=4]>}} {
// CHECK-LABEL: func.func @back
// CHECK: %[[TURNED:.*]] = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<4x3x5xf32>) -> tensor<3x5x4xf32>
// CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%[[TURNED]])
// CHECK-SAME: -> tensor<3x5x16xf32>
// CHECK: %[[BACK:.*]] = stablehlo.transpose %[[WHOLE]], dims = [2, 0, 1] : (tensor<3x5x16xf32>) -> tensor<16x3x5xf32>
// CHECK-NOT: all_gather
// CHECK: return
func.func @back(%w: tensor<16x3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}, {}]>})
    -> (tensor<3x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
  %0 = stablehlo.transpose %w, dims = [1, 2, 0] : (tensor<16x3x5xf32>) -> tensor<3x5x16xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"d"}]>]>} : (tensor<3x5x16xf32>) -> tensor<3x5x16xf32>
  return %1, %w : tensor<3x5x16xf32>, tensor<16x3x5xf32>
}
}
