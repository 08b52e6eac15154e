// RUN: halo-opt %s --halo-partition=partitions=4 --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s

// Arguments and results are tiles. What must be whole to be computed is gathered, dimension by
// dimension, and the result is cut.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[TILE:.*]]: tensor<4x3xf32>) -> tensor<2x6xf32>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {
  // CHECK: %[[ROWS:.*]] = "stablehlo.all_gather"(%[[TILE]])
  // CHECK-SAME: all_gather_dim = 0
  // CHECK-SAME: channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>
  // CHECK-SAME: use_global_device_ids
  // CHECK-SAME: -> tensor<8x3xf32>
  // CHECK: %[[SORTED:.*]] = "stablehlo.sort"(%[[ROWS]])
  // CHECK: (tensor<8x3xf32>) -> tensor<8x3xf32>
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %2 = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // Columns become rows.
  // CHECK: "stablehlo.all_to_all"(%[[SORTED]])
  // CHECK-SAME: concat_dimension = 1
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1], [2, 3]]>
  // CHECK-SAME: split_dimension = 0
  // CHECK-SAME: -> tensor<4x6xf32>
  // CHECK-NOT: @Sharding
  %1 = stablehlo.custom_call @Sharding(%0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>}
    : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK: %[[ID:.*]] = stablehlo.partition_id
  // CHECK: %[[POSITION:.*]] = stablehlo.convert %[[ID]]
  // CHECK: %[[STARTS:.*]] = stablehlo.constant dense<[0, 0, 2, 2]> : tensor<4xi64>
  // CHECK: %[[OWN:.*]] = stablehlo.dynamic_slice %[[STARTS]], %[[POSITION]], sizes = [1]
  // CHECK: %[[START:.*]] = stablehlo.reshape %[[OWN]]
  // CHECK: %[[CUT:.*]] = stablehlo.dynamic_slice %{{.*}}, %[[START]], %{{.*}}, sizes = [2, 6]
  // CHECK: return %[[CUT]] : tensor<2x6xf32>
  return %1 : tensor<8x6xf32>
}
}

// -----

// A manual computation takes and gives tiles; nothing is gathered. A result whose sharding is
// open stays in its tiles.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @manual
// CHECK-SAME: (%[[A:.*]]: tensor<4x2xf32>, %[[B:.*]]: tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
func.func @manual(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4x4xf32>)
    -> (tensor<8x4xf32>, tensor<4x4xf32>) {
  // CHECK-NOT: all_gather
  // CHECK: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[B]]
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[A]], %[[SLICE]] : tensor<4x2xf32>
  // CHECK: return %[[SUM]], %[[SLICE]]
  %0:2 = stablehlo.custom_call @SPMDFullToShardShape(%a, %b) {
    sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {"y"}]>]>,
    sdy.manual_axes = #sdy<manual_axes{"x", "y"}>
  } : (tensor<8x4xf32>, tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
  %1 = stablehlo.add %0#0, %0#1 : tensor<4x2xf32>
  %2:2 = stablehlo.custom_call @SPMDShardToFullShape(%1, %0#1) {
    sdy.out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{}, {"y"}]>]>,
    sdy.manual_axes = #sdy<manual_axes{"x", "y"}>
  } : (tensor<4x2xf32>, tensor<4x2xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>)
  return %2#0, %2#1 : tensor<8x4xf32>, tensor<4x4xf32>
}
}

// -----

// What is computed element by element is computed on tiles, and nothing is gathered.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME: (%[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<8x3xf32>, %[[C:.*]]: tensor<f32>) -> tensor<2x3xf32>
func.func @elementwise(
    %a: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x3xf32>, %c: tensor<f32>)
    -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}) {
  // CHECK-NOT: all_gather
  // CHECK-DAG: %[[SLICE:.*]] = stablehlo.dynamic_slice %[[B]], %{{.*}}, sizes = [2, 3]
  // CHECK-DAG: %[[PRODUCT:.*]] = stablehlo.multiply %[[A]], %[[SLICE]] : tensor<2x3xf32>
  // CHECK-DAG: %[[SPLAT:.*]] = stablehlo.broadcast_in_dim %[[C]], dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[PRODUCT]], %[[SPLAT]]
  // CHECK: %[[TWO:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<2x3xf32>
  // CHECK: %[[POWER:.*]] = stablehlo.power %[[SUM]], %[[TWO]]
  // CHECK: %[[CLAMPED:.*]] = stablehlo.clamp %[[C]], %[[POWER]], %[[C]]
  // CHECK: return %[[CLAMPED]]
  %two = stablehlo.constant dense<2.0> : tensor<8x3xf32>
  %0 = stablehlo.multiply %a, %b : tensor<8x3xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x3xf32>
  %3 = stablehlo.power %2, %two : tensor<8x3xf32>
  %4 = stablehlo.clamp %c, %3, %c : (tensor<f32>, tensor<8x3xf32>, tensor<f32>) -> tensor<8x3xf32>
  return %4 : tensor<8x3xf32>
}
}

// -----

// Two results of one op: each is computed on tiles, and the op itself is erased once.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @shared
// CHECK-SAME: (%[[A:.*]]: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
func.func @shared(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NOT: tensor<8xf32>
  // CHECK: return %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xf32>
  %0 = stablehlo.sine %a : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
}

// -----

// A donated argument that is no longer of its result's type is not donated.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @donated
// CHECK-SAME: (%{{.*}}: tensor<2xf32>, %{{.*}}: tensor<8xf32> {tf.aliasing_output = 1 : i32})
func.func @donated(
    %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32},
    %b: tensor<8xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8xf32>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<8xf32>
  return %0, %b : tensor<8xf32>, tensor<8xf32>
}
}

// -----

module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2]>}} {
// expected-error @+1 {{argument 0: expected a mesh of 4 partitions, found [x=2]}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
}

// -----

module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'tensor<1xf32>' is a tile of 'tensor<4xf32>', not 'tensor<2xf32>'}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) {
    sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, sdy.manual_axes = #sdy<manual_axes{"x"}>
  } : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
}

// -----

// One partition makes a call with a maximal sharding, and sends the result to the others.
module attributes {sdy.meshes = {only = #sdy.mesh<[], device_ids=[2]>}} {
// CHECK-LABEL: func.func @maximal
func.func @maximal(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[ID:.*]] = stablehlo.partition_id
  // CHECK: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<ui32>
  // CHECK: %[[IS_OWN:.*]] = stablehlo.compare EQ, %[[ID]], %[[TWO]]
  // CHECK: %[[OWN:.*]] = "stablehlo.if"(%[[IS_OWN]]) ({
  // CHECK:   %[[CALL:.*]] = stablehlo.custom_call @f(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK:   stablehlo.return %[[CALL]]
  // CHECK: }, {
  // CHECK:   stablehlo.return %{{.*}} : tensor<4xf32>
  // CHECK: "stablehlo.collective_broadcast"(%[[OWN]])
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[2, 0, 1, 3]]>
  %0 = stablehlo.custom_call @f(%a) {
    has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@only, []>]>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
}

// -----

// A constraint decides, and so does the other value of a group.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @constrained
// CHECK-SAME: (%arg0: tensor<4x2xf32>) -> (tensor<4x4xf32>, tensor<8x2xf32>, tensor<8x2xf32>)
// CHECK-NOT: @Sharding
// CHECK-NOT: @xla.sdy.ShardingGroup
func.func @constrained(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.custom_call @Sharding(%a) {
    sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.negate %0 : tensor<8x4xf32>
  %2 = stablehlo.iota dim = 0 : tensor<8x4xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {
    sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %4 = stablehlo.iota dim = 1 : tensor<8x4xf32>
  stablehlo.custom_call @xla.sdy.ShardingGroup(%3) {has_side_effect = true, sdy.sharding_group_id = 0 : i64} : (tensor<8x4xf32>) -> ()
  stablehlo.custom_call @xla.sdy.ShardingGroup(%4) {has_side_effect = true, sdy.sharding_group_id = 0 : i64} : (tensor<8x4xf32>) -> ()
  return %1, %3, %4 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
}

// -----

// A comparator without a visibility is not the entry.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func public @main
// CHECK-SAME: (%arg0: tensor<1xf32>) -> tensor<1xf32>
func.func public @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @compare
// CHECK-SAME: (%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<i1>
func.func @compare(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
}

// -----

// Arguments that are terms of a sum are added up; a result of terms is the tile on the first
// partition along the axis, and zero on the others.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @terms
// CHECK-SAME: (%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
func.func @terms(
    %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>},
    %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
        tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>}) {
  // CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%arg0)
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1], [2, 3]]>
  // CHECK: stablehlo.add
  // CHECK: %[[SINE:.*]] = stablehlo.sine %[[SUM]]
  // CHECK: %[[TERMS:.*]] = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  // CHECK: %[[OWN:.*]] = stablehlo.dynamic_slice %[[TERMS]]
  // CHECK: %[[IS_FIRST:.*]] = stablehlo.compare EQ, %{{.*}}, %{{.*}} : (tensor<i64>, tensor<i64>) -> tensor<i1>
  // CHECK: %[[TERM:.*]] = stablehlo.select %[[IS_FIRST]], %[[SINE]], %{{.*}}
  // A term that is returned as it came is neither added nor cut.
  // CHECK: return %[[TERM]], %arg1
  %0 = stablehlo.sine %a : tensor<8xf32>
  return %0, %b : tensor<8xf32>, tensor<8xf32>
}
}

// -----

// Partial maxima and minima are combined by their own operation. Each partition has the whole as its
// part.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @maxima
// CHECK-SAME: (%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
func.func @maxima(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"y"}>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=min{"x"}>},
        tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"y"}>}) {
  // CHECK: %[[MAX:.*]] = "stablehlo.all_reduce"(%arg0)
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1], [2, 3]]>
  // CHECK: stablehlo.maximum
  // CHECK: %[[SINE:.*]] = stablehlo.sine %[[MAX]]
  // CHECK-NOT: stablehlo.select
  // CHECK: return %[[SINE]], %arg0
  %0 = stablehlo.sine %a : tensor<8xf32>
  return %0, %a : tensor<8xf32>, tensor<8xf32>
}
}

// -----

// Processes that have the same tile are in different groups. The channel is a new one.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2], device_ids=[3, 1, 2, 0]>}} {
// CHECK-LABEL: func.func @copies
// CHECK-SAME: (%{{.*}}: tensor<2xi32>, %{{.*}}: tensor<4xi32>) -> tensor<4xi32>
func.func @copies(%a: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>}, %b: tensor<4xi32>)
    -> tensor<4xi32> {
  // CHECK: "stablehlo.all_gather"
  // CHECK-SAME: handle = 8
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[3, 2], [1, 0]]>
  // CHECK-SAME: -> tensor<4xi32>
  %0 = "stablehlo.collective_permute"(%a) {
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>
  } : (tensor<4xi32>) -> tensor<4xi32>
  %1 = stablehlo.add %0, %b : tensor<4xi32>
  return %1 : tensor<4xi32>
}
}

// -----

// Only the axes of the manual computation divide. What is made of its results is in their tiles.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @partly_manual
// CHECK-SAME: (%arg0: tensor<8xf32>) -> tensor<4xf32>
func.func @partly_manual(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: stablehlo.constant dense<[0, 0, 4, 4]> : tensor<4xi64>
  // CHECK: %[[SLICE:.*]] = stablehlo.dynamic_slice %arg0, %{{.*}}, sizes = [4]
  // CHECK: %[[TANH:.*]] = stablehlo.tanh %[[SLICE]] : tensor<4xf32>
  // CHECK: %[[SINE:.*]] = stablehlo.sine %[[TANH]] : tensor<4xf32>
  // CHECK: return %[[SINE]]
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%a) {
    sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>, sdy.manual_axes = #sdy<manual_axes{"x"}>
  } : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {
    sdy.out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>, sdy.manual_axes = #sdy<manual_axes{"x"}>
  } : (tensor<4xf32>) -> tensor<8xf32>
  %3 = stablehlo.sine %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}
}

// -----

// Strings of the older partitioner, also where a manual computation begins and ends.
// CHECK-LABEL: func.func @strings
// CHECK-SAME: (%[[A:.*]]: tensor<4x4xf32>) -> tensor<8x2xf32>
func.func @strings(%a: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"})
    -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4]<=[2,2]T(1,0)}"}) {
  // CHECK: %[[SINE:.*]] = stablehlo.sine %[[A]] : tensor<4x4xf32>
  // CHECK: %[[COLUMNS:.*]] = "stablehlo.all_to_all"(%[[SINE]])
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 2], [1, 3]]>
  // CHECK-SAME: -> tensor<8x2xf32>
  // CHECK: %[[COSINE:.*]] = stablehlo.cosine %[[COLUMNS]] : tensor<8x2xf32>
  // CHECK: return %[[COSINE]]
  %0 = stablehlo.sine %a : tensor<8x8xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[1,4]<=[2,2]T(1,0)}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"} : (tensor<8x8xf32>) -> tensor<8x2xf32>
  %3 = stablehlo.cosine %2 : tensor<8x2xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[1,4]<=[2,2]T(1,0)}"} : (tensor<8x2xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{argument 0: '{devices=[4]<=[4]}' is not a sharding of 2 dimensions and 4 partitions}}
func.func @main(%a: tensor<4x4xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<4x4xf32> {
  return %a : tensor<4x4xf32>
}

// -----

// A custom call is not divided, also if it has a rule; users of its result are.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @custom_call_with_rule
// CHECK: stablehlo.custom_call @f(%{{.*}}) {{.*}} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: stablehlo.sine %{{.*}} : tensor<2xf32>
func.func @custom_call_with_rule(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}
}
