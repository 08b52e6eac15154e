// RUN: halo-opt %s --halo-partition=partitions=4 --split-input-file --verify-diagnostics | FileCheck %s

// Tiles of arguments and results are rounded up. What is computed element by element is computed
// of the padding too.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[A:.*]]: tensor<2x4xf32>) -> tensor<2x4xf32>
func.func @elementwise(%a: tensor<3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  // CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %[[A]] : tensor<2x4xf32>
  // CHECK-NEXT: return %[[TANH]]
  %0 = stablehlo.tanh %a : tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
}

// -----

// A sum has zeros for the padding: of 5 elements in tiles of 2, the last partition has none.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>) -> tensor<f32>
func.func @sum(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
  // CHECK: stablehlo.constant dense<[0, 2, 4, 6]> : tensor<4xi64>
  // CHECK: %[[END:.*]] = stablehlo.constant dense<5> : tensor<2xi64>
  // CHECK: stablehlo.compare LT, %{{.*}}, %[[END]]
  // CHECK: %[[FILLED:.*]] = stablehlo.select %{{.*}}, %[[A]], %{{.*}} : tensor<2xi1>, tensor<2xf32>
  // CHECK: stablehlo.reduce(%[[FILLED]]
  // CHECK: "stablehlo.all_reduce"
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
}

// -----

// Devices in another order have no layout: all is gathered, without the padding, and cut anew.
module attributes {sdy.meshes = {a = #sdy.mesh<["x"=4]>, b = #sdy.mesh<["x"=4], device_ids=[0, 2, 3, 1]>}} {
// CHECK-LABEL: func.func @other_order
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>) -> tensor<2xf32>
func.func @other_order(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>})
    -> (tensor<5xf32> {sdy.sharding = #sdy.sharding<@b, [{"x"}]>}) {
  // CHECK: "stablehlo.all_gather"
  // CHECK: %[[PADDED:.*]] = stablehlo.reshape %{{.*}} -> tensor<8xf32>
  // CHECK: %[[WHOLE:.*]] = stablehlo.slice %[[PADDED]] [0:5]
  // CHECK: %[[ODD:.*]] = stablehlo.tanh %[[WHOLE]] : tensor<5xf32>
  // CHECK: %[[AGAIN:.*]] = stablehlo.pad %[[ODD]], %{{.*}}, low = [0], high = [3]
  // CHECK: %[[OWN:.*]] = stablehlo.dynamic_slice %[[AGAIN]]
  // CHECK: return %[[OWN]]
  %0 = stablehlo.tanh %a : tensor<5xf32>
  return %0 : tensor<5xf32>
}
}

// -----

// A result with an open sharding is divided by whole axes that divide its size evenly: not by 2 of
// an axis of size 4.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @open
// CHECK-SAME: (%{{.*}}: tensor<2xf32>) -> tensor<6xf32>
func.func @open(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>}) {
  %0 = stablehlo.tanh %a : tensor<6xf32>
  return %0 : tensor<6xf32>
}
}

// -----

// Results of other sizes than the argument: whole, or in parts of whole axes.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @open_results
// CHECK-SAME: (%{{.*}}: tensor<2xf32>) -> (tensor<3xf32>, tensor<5xf32>, tensor<7xf32>, tensor<1x2xf32>)
func.func @open_results(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<6xf32>, tensor<10xf32>, tensor<7xf32>, tensor<2x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %a [0:6] : (tensor<8xf32>) -> tensor<6xf32>
  %1 = stablehlo.pad %a, %zero, low = [1], high = [1], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
  %2 = stablehlo.slice %a [1:8] : (tensor<8xf32>) -> tensor<7xf32>
  %3 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  return %0, %1, %2, %3 : tensor<6xf32>, tensor<10xf32>, tensor<7xf32>, tensor<2x4xf32>
}
}

// -----

// What asks how a value is divided has been told, and is gone.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @inspected
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>) -> tensor<2xf32>
func.func @inspected(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NOT: InspectSharding
  // CHECK: %[[B:.*]] = stablehlo.tanh %[[A]]
  // CHECK-NEXT: return %[[B]]
  stablehlo.custom_call @InspectSharding(%a) {backend_config = "1", has_side_effect = true} : (tensor<6xf32>) -> ()
  %0 = stablehlo.tanh %a : tensor<6xf32>
  %1 = stablehlo.custom_call @InspectSharding(%0) {backend_config = "2", has_side_effect = true} : (tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
}

// -----

// A manual computation knows nothing of padding.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
func.func @manual(%a: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{dimension 0 of size 6 does not divide among 4 partitions}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) {
    sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>,
    sdy.manual_axes = #sdy<manual_axes{"x"}>
  } : (tensor<6xf32>) -> tensor<2xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) {
    sdy.out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>,
    sdy.manual_axes = #sdy<manual_axes{"x"}>
  } : (tensor<2xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
}

// -----

// An op that moves a splat has the whole of it, also where its operand stands for a tile.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @splat
// CHECK-SAME: -> (tensor<3xf32>, tensor<3x5xf32>)
func.func @splat() -> (tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    tensor<12x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: stablehlo.constant dense<1.000000e+00> : tensor<3x5xf32>
  %0 = stablehlo.constant dense<1.0> : tensor<12xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>} : (tensor<12xf32>) -> tensor<12xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<12xf32>) -> tensor<12x5xf32>
  return %0, %2 : tensor<12xf32>, tensor<12x5xf32>
}
}

// -----

// Windows of a dimension are divided as it is, also where they do not divide evenly: what becomes
// of them is divided in turn.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @windows
// CHECK-SAME: (%{{.*}}: tensor<2xf32>) -> tensor<2xf32>
func.func @windows(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // CHECK: stablehlo.multiply {{.*}} : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.slice %a [1:7] : (tensor<8xf32>) -> tensor<6xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<6xf32>
  %2 = stablehlo.pad %1, %zero, low = [1], high = [1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
}
