// RUN: halo-opt %s --halo-partition=partitions=4 --allow-unregistered-dialect --split-input-file | FileCheck %s

// Reductions: terms are combined as the body says, and an initial value counts once.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @reductions
func.func @reductions(%a: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %init: tensor<f32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<8xf32>) {
  // CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK: %[[TERM:.*]] = stablehlo.reduce(%arg0 init: %[[ZERO]]) applies stablehlo.add
  // CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[TERM]])
  // CHECK: %[[INIT:.*]] = stablehlo.broadcast_in_dim %arg1
  // CHECK: stablehlo.add %[[SUM]], %[[INIT]]
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: %[[MAX:.*]] = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum
  // CHECK: "stablehlo.all_reduce"(%[[MAX]])
  // CHECK: stablehlo.maximum
  %1 = stablehlo.reduce(%a init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-NOT: stablehlo.all_reduce
  %2 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : (tensor<8x3xf32>, tensor<f32>) -> tensor<8xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<8xf32>
}
}

// -----

// Ops that move elements: dimensions go along, also as parts of others.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @moves
// CHECK-SAME: -> (tensor<3x4xf32>, tensor<2x2x3xf32>, tensor<4x5x3xf32>, tensor<4xf32>)
// CHECK-NOT: all_gather
func.func @moves(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<6x8xf32>, tensor<4x2x6xf32>, tensor<8x5x6xf32>, tensor<8xf32>) {
  // CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  // CHECK: stablehlo.reshape %arg0 : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
  %1 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<4x2x6xf32>
  // CHECK: stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<4x3xf32>) -> tensor<4x5x3xf32>
  %2 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<8x6xf32>) -> tensor<8x5x6xf32>
  // Positions begin where the tile does.
  // CHECK: %[[LOCAL:.*]] = stablehlo.iota dim = 0 : tensor<4xi64>
  // CHECK: %[[POSITION:.*]] = stablehlo.add %[[LOCAL]]
  // CHECK: stablehlo.convert %[[POSITION]] : (tensor<4xi64>) -> tensor<4xf32>
  %3 = stablehlo.iota dim = 0 : tensor<8xf32>
  %4 = stablehlo.custom_call @Sharding(%3) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1, %2, %4 : tensor<6x8xf32>, tensor<4x2x6xf32>, tensor<8x5x6xf32>, tensor<8xf32>
}
}

// -----

// Indexing: whole slices, batches and positions are divided; what is indexed is whole.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @indexing
func.func @indexing(%a: tensor<10x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %i: tensor<4x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %j: tensor<4x1xi32>,
    %u: tensor<4x8xf32>, %s: tensor<i32>) -> (tensor<4x8xf32>, tensor<10x8xf32>, tensor<3x8xf32>) {
  // CHECK-NOT: all_gather
  // CHECK: "stablehlo.gather"(%arg0, %arg2)
  // CHECK-SAME: slice_sizes = array<i64: 1, 2>
  // CHECK-SAME: (tensor<10x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
  %0 = "stablehlo.gather"(%a, %j) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>
  } : (tensor<10x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.scatter"(%arg0, %arg2, %{{.*}})
  // CHECK: (tensor<10x2xf32>, tensor<4x1xi32>, tensor<4x2xf32>) -> tensor<10x2xf32>
  %1 = "stablehlo.scatter"(%a, %j, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<10x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<10x8xf32>
  // CHECK: stablehlo.dynamic_slice %arg0, %arg4, %arg4, sizes = [3, 2]
  %2 = stablehlo.dynamic_slice %a, %s, %s, sizes = [3, 8] : (tensor<10x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<10x8xf32>, tensor<3x8xf32>
}
}

// -----

// Sorts along other dimensions, and problems of a batch.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @problems
func.func @problems(%a: tensor<8x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> (tensor<8x3x3xf32>, tensor<8x3x3xf32>) {
  // CHECK-NOT: all_gather
  // CHECK: "stablehlo.sort"(%arg0)
  // CHECK: (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {dimension = 1 : i64} : (tensor<8x3x3xf32>) -> tensor<8x3x3xf32>
  // CHECK: stablehlo.cholesky %arg0, lower = true : tensor<2x3x3xf32>
  %1 = stablehlo.cholesky %a, lower = true : tensor<8x3x3xf32>
  return %0, %1 : tensor<8x3x3xf32>, tensor<8x3x3xf32>
}
}

// -----

// A loop carries tiles. What a branch captures is brought into the layout that it needs within.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @control_flow
// CHECK-SAME: -> (tensor<2xf32>, tensor<2xf32>)
func.func @control_flow(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<i32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // CHECK: stablehlo.while(%[[I:.*]] = %{{.*}}, %[[X:.*]] = %arg0) : tensor<i32>, tensor<2xf32>
  // CHECK: stablehlo.sine %[[X]] : tensor<2xf32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.sine %x : tensor<8xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>
    }
  %p = stablehlo.compare LT, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK: "stablehlo.if"
  // CHECK: stablehlo.cosine %arg0 : tensor<2xf32>
  %3 = "stablehlo.if"(%p) ({
    %4 = stablehlo.cosine %a : tensor<8xf32>
    stablehlo.return %4 : tensor<8xf32>
  }, {
    %4 = stablehlo.constant dense<1.0> : tensor<8xf32>
    stablehlo.return %4 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %0#1, %3 : tensor<8xf32>, tensor<8xf32>
}
}

// -----

// Numbers are drawn by one partition, for all.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @random
func.func @random(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xi64>) -> tensor<8xf32> {
  // CHECK: %[[DRAWN:.*]] = stablehlo.rng
  // CHECK: "stablehlo.collective_broadcast"(%[[DRAWN]])
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
}
