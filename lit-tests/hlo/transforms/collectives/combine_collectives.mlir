// RUN: halo-opt %s --halo-combine-collectives --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-combine-collectives=bytes=40 --split-input-file | FileCheck %s --check-prefix=LIMIT
// RUN: halo-opt %s --halo-combine-collectives=bytes=0 --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: halo-opt %s --halo-combine-collectives='bytes=0 kept-bytes=0' --split-input-file | FileCheck %s --check-prefix=KEPT

// What reads the first one waits for the last one.
// CHECK-LABEL: func.func @reduce
// CHECK-NEXT: %[[B:.*]] = stablehlo.negate %arg1
// CHECK-NEXT: %[[BOTH:.*]]:2 = "stablehlo.all_reduce"(%arg0, %[[B]]) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
// CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<f32>):
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[X]], %[[Y]]
// CHECK-NEXT: stablehlo.return %[[SUM]]
// CHECK-NEXT: }) : (tensor<4xf32>, tensor<2x8xf32>) -> (tensor<4xf32>, tensor<2x8xf32>)
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[BOTH]]#0
// CHECK-NEXT: return %[[T]], %[[BOTH]]#1
// 16 and 64 bytes are more than 40.
// LIMIT-LABEL: func.func @reduce
// LIMIT: "stablehlo.all_reduce"(%arg0)
// LIMIT: stablehlo.tanh
// LIMIT: "stablehlo.all_reduce"(%{{.*}})
// NONE-LABEL: func.func @reduce
// NONE-COUNT-2: "stablehlo.all_reduce"(%{{[a-z0-9]*}})
func.func @reduce(%a: tensor<4xf32>, %b: tensor<2x8xf32>) -> (tensor<4xf32>, tensor<2x8xf32>) {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.tanh %0 : tensor<4xf32>
  %2 = stablehlo.negate %b : tensor<2x8xf32>
  %3 = "stablehlo.all_reduce"(%2) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %1, %3 : tensor<4xf32>, tensor<2x8xf32>
}

// -----

// One that needs another one, also through other ops, stays behind it; a third one joins it.
// CHECK-LABEL: func.func @dependent
// CHECK: %[[A:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: %[[N:.*]] = stablehlo.negate %[[A]]
// CHECK: %[[BC:.*]]:2 = "stablehlo.all_gather"(%[[N]], %arg1) <{all_gather_dim = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<2xf32>) -> (tensor<8xf32>, tensor<4xf32>)
// CHECK: return %[[BC]]#0, %[[BC]]#1
func.func @dependent(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = "stablehlo.all_gather"(%1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  %3 = "stablehlo.all_gather"(%b) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  return %2, %3 : tensor<8xf32>, tensor<4xf32>
}

// -----

// Other groups, dimensions, element types and bodies are kept apart; also an op with effects.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-3: "stablehlo.all_gather"(%{{[a-z0-9]*}}) <
// CHECK-NOT: stablehlo.all_gather
// CHECK: stablehlo.custom_call @effect
// CHECK: "stablehlo.all_gather"(%{{[a-z0-9]*}}) <
// CHECK-COUNT-2: "stablehlo.all_reduce"(%{{[a-z0-9]*}}) <
func.func @different(%a: tensor<2x2xf32>, %b: tensor<2x2xi32>) -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x2xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.all_gather"(%b) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x2xi32>) -> tensor<4x2xi32>
  stablehlo.custom_call @effect(%a) {has_side_effect = true} : (tensor<2x2xf32>) -> ()
  %3 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<2x2xf32>) -> tensor<4x2xf32>
  %4 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %5 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x2xi32>, tensor<4x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// -----

// Processes may take different branches, but run the same loops.
// CHECK-LABEL: func.func @branches
// CHECK: stablehlo.while
// CHECK: %{{.*}}:2 = "stablehlo.all_to_all"
// CHECK: stablehlo.if
// CHECK-NOT: :2 = "stablehlo.all_to_all"
func.func @branches(%a: tensor<2xf32>, %p: tensor<i1>) -> tensor<2xf32> {
  %0:2 = stablehlo.while(%x = %a, %q = %p) : tensor<2xf32>, tensor<i1>
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %1 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      %2 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
      %3 = stablehlo.add %1, %2 : tensor<2xf32>
      stablehlo.return %3, %q : tensor<2xf32>, tensor<i1>
    }
  %4 = "stablehlo.if"(%p) ({
    %1 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.add %1, %2 : tensor<2xf32>
    stablehlo.return %3 : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %5 = stablehlo.add %0#0, %4 : tensor<2xf32>
  return %5 : tensor<2xf32>
}

// -----

// Nor are they where processes run several programs.
// CHECK-LABEL: func.func @programs
// CHECK-COUNT-2: "stablehlo.all_gather"(%{{[a-z0-9]*}})
func.func @programs(%a: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func @others(%a: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func @main(%a: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:4 = "interpreter.run_parallel"(%a, %a) {programs = [[@programs], [@others]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// The second one is the first one again, whatever its channel. With a limit of 0 bytes nothing is
// kept.
// CHECK-LABEL: func.func @repeated
// CHECK: %[[A:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK-NOT: stablehlo.all_gather
// CHECK: return %[[A]], %[[A]]
// KEPT-LABEL: func.func @repeated
// KEPT-COUNT-2: "stablehlo.all_gather"
func.func @repeated(%a: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>} : (tensor<4xf32>) -> tensor<8xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>} : (tensor<4xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Other groups, and other bodies, give other results.
// CHECK-LABEL: func.func @not_repeated
// CHECK: stablehlo.add
// CHECK: stablehlo.maximum
// CHECK: dense<{{\[\[}}1, 0]]>
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}}
func.func @not_repeated(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Messages that take 1 us and 1 ns for each byte are combined up to 8 kB.
// CHECK-LABEL: module attributes {halo.link
// CHECK: "stablehlo.all_gather"(%arg0, %arg1)
// CHECK: "stablehlo.all_gather"(%arg2)
module attributes {halo.link = array<i64: 1000, 1, 1000000000>} {
func.func @link(%a: tensor<1000xf32>, %b: tensor<1000xf32>, %c: tensor<1xf32>) -> (tensor<2000xf32>, tensor<2000xf32>, tensor<2xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1000xf32>) -> tensor<2000xf32>
  %1 = "stablehlo.all_gather"(%b) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1000xf32>) -> tensor<2000xf32>
  %2 = "stablehlo.all_gather"(%c) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xf32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2000xf32>, tensor<2000xf32>, tensor<2xf32>
}
}
