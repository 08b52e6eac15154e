// RUN: halo-opt %s --halo-propagate-shardings=partitions=4 --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s

// Forward and backward. The contracted dimension of %b goes along with that of %a.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x8xf32>, tensor<6x8xf32>) {
  // CHECK: stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>}
  %0 = stablehlo.iota dim = 0 : tensor<6x8xf32>
  // CHECK: stablehlo.sine %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>}
  %1 = stablehlo.sine %0 : tensor<6x8xf32>
  // CHECK: stablehlo.dot_general
  // CHECK-SAME: {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  %2 = stablehlo.dot_general %a, %1, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
  return %2, %1 : tensor<8x8xf32>, tensor<6x8xf32>
}
}

// -----

// Parameters that are stored in parts do not divide what they are added to: a broadcast propagates
// after other ops.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @bias
func.func @bias(%b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %w: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  // CHECK: stablehlo.broadcast_in_dim
  // CHECK-SAME: <@mesh, [{"x"}, {}]>
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
  // CHECK: stablehlo.add
  // CHECK-SAME: <@mesh, [{"x"}, {}]>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
}

// -----

// An earlier priority decides, and an axis divides a tensor once. Parts of axes are axes, but not
// in a result.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @priorities
// CHECK-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<2x4x8xf32>)
func.func @priorities(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<2x4x8xf32>) {
  %0 = stablehlo.custom_call @Sharding(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}p1, {?}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.custom_call @Sharding(%b) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"x", ?}p0]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: stablehlo.add
  // CHECK-SAME: <@mesh, [{}, {"x"}]>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  %3 = stablehlo.custom_call @Sharding(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: stablehlo.reshape
  // CHECK-SAME: <@mesh, [{"x":(1)2}, {"x":(2)2}, {}]>
  %4 = stablehlo.reshape %3 : (tensor<8x8xf32>) -> tensor<2x4x8xf32>
  return %2, %4 : tensor<8x8xf32>, tensor<2x4x8xf32>
}
}

// -----

module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// expected-error @+1 {{argument 0: the mesh has no axis 'y' of this size}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
}

// -----

// The rule of a custom call, with a factor that is reduced and a dimension of two factors.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @rules
// CHECK-SAME: -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
func.func @rules(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x6xf32>, tensor<4x2x6xf32>, tensor<4x6xf32>) {
  %b = stablehlo.constant dense<2.0> : tensor<4x6xf32>
  %c = stablehlo.exponential %b : tensor<4x6xf32>
  %0 = stablehlo.custom_call @f(%a, %c) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=8, j=4, k=6} reduction={j}, custom>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = stablehlo.custom_call @g(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, j, k]) {i=4, j=2, k=6}, custom>} : (tensor<8x6xf32>) -> tensor<4x2x6xf32>
  return %0, %1, %c : tensor<8x6xf32>, tensor<4x2x6xf32>, tensor<4x6xf32>
}
}

// -----

// A rule of other ranks is ignored.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @other_rule
// CHECK-SAME: -> tensor<8x4xf32> {
func.func @other_rule(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
}
