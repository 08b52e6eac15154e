// RUN: halo-opt %s --halo-partition=partitions=4 --split-input-file --verify-diagnostics | FileCheck %s

// The largest element and its position: each partition reduces its part, and all reduce the four
// pairs. The operand stays where it is.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @argmax
// CHECK-SAME: (%[[A:.*]]: tensor<3x16xf32>) -> (tensor<3xf32>, tensor<3xi32>)
func.func @argmax(%a: tensor<3x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // CHECK-NOT: stablehlo.all
  // CHECK: %[[OWN:.*]]:2 = stablehlo.reduce(%[[A]] init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1]
  // CHECK-SAME: (tensor<3x16xf32>, tensor<3x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  // CHECK: %[[V:.*]] = stablehlo.reshape %[[OWN]]#0 : (tensor<3xf32>) -> tensor<1x3xf32>
  // CHECK: %[[VS:.*]] = "stablehlo.all_gather"(%[[V]]) <{all_gather_dim = 0
  // CHECK-SAME: (tensor<1x3xf32>) -> tensor<4x3xf32>
  // CHECK: %[[I:.*]] = stablehlo.reshape %[[OWN]]#1
  // CHECK: %[[IS:.*]] = "stablehlo.all_gather"(%[[I]]) <{all_gather_dim = 0
  // CHECK-SAME: (tensor<1x3xi32>) -> tensor<4x3xi32>
  // CHECK: %[[ALL:.*]]:2 = stablehlo.reduce(%[[VS]] init: %{{.*}}), (%[[IS]] init: %{{.*}}) across dimensions = [0]
  // CHECK-NOT: stablehlo.all
  // CHECK: return %[[ALL]]#0, %[[ALL]]#1
  %iota = stablehlo.iota dim = 1 : tensor<3x64xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %low), (%iota init: %none) across dimensions = [1]
    : (tensor<3x64xf32>, tensor<3x64xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
    reducer(%v: tensor<f32>, %w: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %ge = stablehlo.compare GE, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %m = stablehlo.select %ge, %v, %w : tensor<i1>, tensor<f32>
      %n = stablehlo.select %ge, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %m, %n : tensor<f32>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
}

// -----

// Where the result is wanted in tiles, each partition gets the parts of its own. A body of
// several ops combines the parts of one operand so, and padding is the initial value.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @in_tiles
// CHECK-SAME: (%[[A:.*]]: tensor<8x3xbf16>) -> tensor<2xbf16>
func.func @in_tiles(%a: tensor<8x10xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[FILLED:.*]] = stablehlo.select %{{.*}}, %[[A]], %{{.*}} : tensor<8x3xi1>, tensor<8x3xbf16>
  // CHECK: %[[OWN:.*]] = stablehlo.reduce(%[[FILLED]] init: %{{.*}}) across dimensions = [1] : (tensor<8x3xbf16>, tensor<bf16>) -> tensor<8xbf16>
  // CHECK: %[[LINE:.*]] = stablehlo.reshape %[[OWN]] : (tensor<8xbf16>) -> tensor<1x8xbf16>
  // CHECK: %[[PARTS:.*]] = "stablehlo.all_to_all"(%[[LINE]])
  // CHECK-SAME: concat_dimension = 0
  // CHECK-SAME: split_dimension = 1
  // CHECK-SAME: (tensor<1x8xbf16>) -> tensor<4x2xbf16>
  // CHECK: %[[ALL:.*]] = stablehlo.reduce(%[[PARTS]] init: %{{.*}}) across dimensions = [0] : (tensor<4x2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  // CHECK: return %[[ALL]]
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%a init: %zero) across dimensions = [1] : (tensor<8x10xbf16>, tensor<bf16>) -> tensor<8xbf16>
    reducer(%v: tensor<bf16>, %w: tensor<bf16>) {
      %1 = stablehlo.convert %v : (tensor<bf16>) -> tensor<f32>
      %2 = stablehlo.convert %w : (tensor<bf16>) -> tensor<f32>
      %3 = stablehlo.add %1, %2 : tensor<f32>
      %4 = stablehlo.convert %3 : (tensor<f32>) -> tensor<bf16>
      stablehlo.return %4 : tensor<bf16>
    }
  return %0 : tensor<8xbf16>
}
}

// -----

// 32 KiB and more are reduced in parts, which are gathered, as those of an all_reduce.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @large
func.func @large(%a: tensor<8192x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  // CHECK: "stablehlo.all_to_all"
  // CHECK-SAME: (tensor<1x8192xf32>) -> tensor<4x2048xf32>
  // CHECK: %[[PART:.*]] = stablehlo.reduce({{.*}} -> tensor<2048xf32>
  // CHECK: "stablehlo.all_gather"(%[[PART]])
  // CHECK-SAME: (tensor<2048xf32>) -> tensor<8192xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %one) across dimensions = [1] : (tensor<8192x8xf32>, tensor<f32>) -> tensor<8192xf32>
    reducer(%v: tensor<f32>, %w: tensor<f32>) {
      %1 = stablehlo.multiply %v, %w : tensor<f32>
      %2 = stablehlo.abs %1 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }
  return %0 : tensor<8192xf32>
}
}

// -----

// Windows of several operands are exchanged with the neighbours, each with its own initial value.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @windows
// CHECK-SAME: tensor<4xf32>, %{{.*}}: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
func.func @windows(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                   %b: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK-NOT: all_gather
  // CHECK-COUNT-2: "stablehlo.collective_permute"(%{{.*}} : (tensor<1xf32>) -> tensor<1xf32>
  // CHECK-COUNT-2: "stablehlo.collective_permute"(%{{.*}} : (tensor<1xi32>) -> tensor<1xi32>
  // CHECK: "stablehlo.reduce_window"
  // CHECK: (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  // CHECK-NOT: all_gather
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = "stablehlo.reduce_window"(%a, %b, %low, %zero) ({
  ^bb0(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>):
    %m = stablehlo.maximum %v, %w : tensor<f32>
    %n = stablehlo.add %i, %j : tensor<i32>
    stablehlo.return %m, %n : tensor<f32>, tensor<i32>
  }) {window_dimensions = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}
    : (tensor<16xf32>, tensor<16xi32>, tensor<f32>, tensor<i32>) -> (tensor<16xf32>, tensor<16xi32>)
  return %0#0, %0#1 : tensor<16xf32>, tensor<16xi32>
}
}
