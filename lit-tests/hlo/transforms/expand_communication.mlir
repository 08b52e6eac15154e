// RUN: halo-opt %s --halo-expand-communication --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK: %[[TICKET:.*]] = stablehlo.custom_call @halo.collective_start(%arg0) {backend_config = "stablehlo.all_gather channel=0 grouping=cross_replica rows=1,0 size=2"
// CHECK: %[[GROUP:.*]]:2 = stablehlo.custom_call @halo.collective_wait(%[[TICKET]])
// CHECK: %[[RESULT:.*]]:2 = stablehlo.while(%[[PLACE:.*]] = %{{.*}}, %[[WHOLE:.*]] = %{{.*}}) : tensor<i64>, tensor<3x4xi32>
// CHECK: stablehlo.compare LT, %[[PLACE]], %[[GROUP]]#1
// CHECK: %[[MEMBER:.*]] = stablehlo.custom_call @halo.collective_member(%[[TICKET]], %[[PLACE]])
// CHECK: %[[WIDTH:.*]] = stablehlo.constant dense<2> : tensor<i64>
// CHECK: %[[START:.*]] = stablehlo.multiply %[[PLACE]], %[[WIDTH]]
// CHECK: stablehlo.dynamic_update_slice %[[WHOLE]], %[[MEMBER]], %{{.*}}, %[[START]]
// CHECK: stablehlo.custom_call @halo.collective_end(%[[TICKET]])
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
// CHECK: backend_config = "stablehlo.all_reduce channel=3 grouping=flattened_ids rows=0,1,2|3"
// CHECK: %[[FIRST:.*]] = stablehlo.custom_call @halo.collective_member(
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

// What stands between start and end is done meanwhile.
// CHECK-LABEL: func.func @asynchronous
// CHECK: stablehlo.custom_call @halo.collective_start(%arg0)
// CHECK-NEXT: stablehlo.negate
// CHECK-NEXT: stablehlo.custom_call @halo.collective_wait
// CHECK: stablehlo.custom_call @halo.collective_member
// CHECK: stablehlo.custom_call @halo.collective_end
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
// CHECK: %[[RECEIVED:.*]]:2 = stablehlo.custom_call @halo.recv(%arg0) {backend_config = "stablehlo.recv channel=5 grouping=flattened_ids", has_side_effect = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
// CHECK: stablehlo.custom_call @halo.outfeed(%[[RECEIVED]]#0, %[[RECEIVED]]#1)
func.func @transfers(%t: !stablehlo.token) -> !stablehlo.token {
  %x, %u = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %v = "stablehlo.outfeed"(%x, %u) {outfeed_config = ""} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %v : !stablehlo.token
}

// -----

// CHECK-LABEL: func.func @parallel
// CHECK: stablehlo.custom_call @halo.replica_id() {backend_config = ""} : () -> tensor<ui32>
// CHECK: stablehlo.custom_call @halo.run_parallel() {backend_config = "program 0 one\0Aprogram 1 two\0Ainfeed one\0A", has_side_effect = true} : () -> tensor<i32>
func.func @parallel() -> (tensor<ui32>, tensor<i32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = "interpreter.run_parallel"() {infeed = [@one], programs = [[@one], [@two]]} : () -> tensor<i32>
  return %0, %1 : tensor<ui32>, tensor<i32>
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
