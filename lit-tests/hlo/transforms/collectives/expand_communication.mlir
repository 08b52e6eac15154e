// RUN: halo-opt %s --halo-expand-communication --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK: %[[TICKET:.*]] = halo.collective_start "stablehlo.all_gather"(%arg0) {channel = 0 : i64, group_size = 2 : i64, grouping = #halo.grouping<cross_replica>, groups = [array<i64: 1, 0>]} : tensor<3x2xi32>
// CHECK: %{{.*}}, %[[SIZE:.*]] = halo.collective_wait "stablehlo.all_gather" %[[TICKET]]
// CHECK: %[[RESULT:.*]]:2 = stablehlo.while(%[[PLACE:.*]] = %{{.*}}, %[[WHOLE:.*]] = %{{.*}}) : tensor<i64>, tensor<3x4xi32>
// CHECK: stablehlo.compare LT, %[[PLACE]], %[[SIZE]]
// CHECK: %[[MEMBER:.*]] = halo.collective_member "stablehlo.all_gather" %[[TICKET]][%[[PLACE]]] : tensor<3x2xi32>
// CHECK: %[[WIDTH:.*]] = stablehlo.constant dense<2> : tensor<i64>
// CHECK: %[[START:.*]] = stablehlo.multiply %[[PLACE]], %[[WIDTH]]
// CHECK: stablehlo.dynamic_update_slice %[[WHOLE]], %[[MEMBER]], %{{.*}}, %[[START]]
// CHECK: halo.collective_end "stablehlo.all_gather" %[[TICKET]]
// CHECK: return %[[RESULT]]#1
func.func @gather(%x: tensor<3x2xi32>) -> tensor<3x4xi32> {
  %0 = "stablehlo.all_gather"(%x) {
    all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
  } : (tensor<3x2xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// -----

// The body is applied to the members one after the other. Padding names nobody.
// CHECK-LABEL: func.func @reduce
// CHECK: halo.collective_start "stablehlo.all_reduce"(%arg0) {channel = 3 : i64, grouping = #halo.grouping<flattened_ids>, groups = [array<i64: 0, 1, 2>, array<i64: 3>]}
// CHECK: %[[FIRST:.*]] = halo.collective_member "stablehlo.all_reduce"
// CHECK: %[[WIDE:.*]] = stablehlo.convert %[[FIRST]] : (tensor<4xf16>) -> tensor<4xf32>
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %[[SUM:.*]] = %[[WIDE]])
// CHECK: %[[NEXT:.*]] = stablehlo.convert %{{.*}} : (tensor<4xf16>) -> tensor<4xf32>
// CHECK: "stablehlo.map"(%[[SUM]], %[[NEXT]])
// CHECK: stablehlo.maximum
func.func @reduce(%x: tensor<4xf16>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    replica_groups = dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>, use_global_device_ids,
    channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>
  } : (tensor<4xf16>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A large reduction in parts: each member reduces one of them, and all gather them. 9001
// elements are padded to 4 parts of 2251.
// CHECK-LABEL: func.func @large
// CHECK: %[[PADDED:.*]] = stablehlo.pad %{{.*}}, %{{.*}}, low = [0], high = [3], interior = [0]
// CHECK: %[[SLICES:.*]] = stablehlo.reshape %[[PADDED]] : (tensor<9004xf32>) -> tensor<4x2251xf32>
// CHECK: halo.collective_start "stablehlo.all_reduce"(%[[SLICES]]) {channel = 0 : i64, group_size = 4 : i64,
// CHECK: %[[PART:.*]]:2 = stablehlo.while({{.*}}) : tensor<i64>, tensor<2251xf32>
// CHECK: halo.collective_start "stablehlo.all_reduce"(%[[PART]]#1) {channel = 0 : i64, grouping
// CHECK: %[[WHOLE:.*]]:2 = stablehlo.while({{.*}}) : tensor<i64>, tensor<9004xf32>
// CHECK: stablehlo.slice %[[WHOLE]]#1 [0:9001]
func.func @large(%x: tensor<9001xf32>) -> tensor<9001xf32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<9001xf32>) -> tensor<9001xf32>
  return %0 : tensor<9001xf32>
}

// -----

// Members bring slices of the dimension that is split, and get one of each.
// CHECK-LABEL: func.func @exchange
// CHECK: %[[DIVIDED:.*]] = stablehlo.reshape %arg0 : (tensor<2x4xi64>) -> tensor<2x2x2xi64>
// CHECK: %[[SLICES:.*]] = stablehlo.transpose %[[DIVIDED]], dims = [1, 0, 2]
// CHECK: halo.collective_start "stablehlo.all_to_all"(%[[SLICES]])
// CHECK: %[[MEMBER:.*]] = halo.collective_member "stablehlo.all_to_all" %{{.*}} : tensor<2x2xi64>
// CHECK: stablehlo.dynamic_update_slice %{{.*}}, %[[MEMBER]]
func.func @exchange(%x: tensor<2x4xi64>) -> tensor<4x2xi64> {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64,
    split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2x4xi64>) -> tensor<4x2xi64>
  return %0 : tensor<4x2xi64>
}

// -----

// The runtime must know that the root is a value: all members send to all then.
// CHECK-LABEL: func.func @root
// CHECK: halo.collective_start "stablehlo.collective_broadcast"(%arg0) {{.*}}has_dynamic_root
func.func @root(%x: tensor<4xf32>, %root: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x, %root) {has_dynamic_root,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What stands between start and end is done meanwhile.
// CHECK-LABEL: func.func @asynchronous
// CHECK: halo.collective_start "stablehlo.collective_permute"(%arg0)
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: halo.collective_wait
// CHECK: halo.collective_member
// CHECK: halo.collective_end
// CHECK-NOT: async
func.func @asynchronous(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xi32>):
    %s = "stablehlo.collective_permute"(%y) {
      source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %m = stablehlo.negate %x : tensor<2xi32>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  return %r, %m : tensor<2xi32>, tensor<2xi32>
}

// -----

// CHECK-LABEL: func.func @transfers
// CHECK: %[[FED:.*]]:2 = halo.infeed(%arg0) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
// CHECK: %[[SENT:.*]] = halo.send(%[[FED]]#0, %[[FED]]#1) {channel = 2 : i64, pairs = [array<i64: 0, 1>]} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
// CHECK: %[[RECEIVED:.*]]:2 = halo.recv(%[[SENT]]) {channel = 5 : i64, pairs = []} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
// CHECK: halo.outfeed(%[[RECEIVED]]#0, %[[RECEIVED]]#1) : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
func.func @transfers(%s: !stablehlo.token) -> !stablehlo.token {
  %y, %r = "stablehlo.infeed"(%s) {infeed_config = ""} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %t = "stablehlo.send"(%y, %r) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %x, %u = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %v = "stablehlo.outfeed"(%x, %u) {outfeed_config = ""} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %v : !stablehlo.token
}

// -----

// CHECK-LABEL: func.func @parallel
// CHECK: halo.run_parallel() {infeed = ["one"], programs = {{\[\[}}"one"], ["two"]]} : () -> tensor<i32>
func.func @parallel() -> tensor<i32> {
  %0 = "interpreter.run_parallel"() {infeed = [@one], programs = [[@one], [@two]]} : () -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @one() -> tensor<i32>
func.func private @two()

// -----

func.func @unread(%x: tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>> {
  // expected-error @+1 {{'stablehlo.async_start' op has a future that is not just used by one 'stablehlo.async_done'}}
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<2xi32>):
    %s = "stablehlo.collective_permute"(%y) {
      source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
    } : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  return %f : !stablehlo.future<tensor<2xi32>>
}

// -----

func.func @dynamic(%x: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error @+1 {{'stablehlo.all_gather' op has a tensor of dynamic shape}}
  %0 = "stablehlo.all_gather"(%x) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>
  } : (tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
