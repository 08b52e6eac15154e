// What ends processes that work together: no program waits for ever.

// RUN: not halo-run --backend=interpreter --entry=alone %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not halo-run --backend=interpreter --entry=unlike %s 2>&1 | FileCheck %s --check-prefix=UNLIKE
// RUN: not halo-run --backend=interpreter --entry=crossed %s 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: not halo-run --backend=interpreter --entry=no_infeed %s 2>&1 | FileCheck %s --check-prefix=NO-INFEED
// RUN: not halo-run --backend=interpreter --entry=no_send %s 2>&1 | FileCheck %s --check-prefix=NO-SEND
// RUN: not halo-run --backend=interpreter --entry=cause %s 2>&1 | FileCheck %s --check-prefix=CAUSE
// RUN: not halo-run --backend=cpu --entry=alone %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not halo-run --backend=cpu --entry=unlike %s 2>&1 | FileCheck %s --check-prefix=UNLIKE
// RUN: not halo-run --backend=cpu --entry=crossed %s 2>&1 | FileCheck %s --check-prefix=CROSSED
// RUN: not halo-run --backend=cpu --entry=no_infeed %s 2>&1 | FileCheck %s --check-prefix=NO-INFEED
// RUN: not halo-run --backend=cpu --entry=no_send %s 2>&1 | FileCheck %s --check-prefix=NO-SEND
// RUN: not halo-run --backend=cpu --entry=cause %s 2>&1 | FileCheck %s --check-prefix=CAUSE

// One process gathers, the other does not.
// ALONE: error: 'stablehlo.all_gather' op waits for what never comes: process 0 for processes [0, 1]
func.func @alone() {
  "interpreter.run_parallel"() {programs = [[@gathers], [@does_nothing]]} : () -> ()
  func.return
}
func.func private @gathers() {
  %x = stablehlo.constant dense<1> : tensor<1xi32>
  %y = "stablehlo.all_gather"(%x) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<1xi32>) -> tensor<2xi32>
  func.return
}
func.func private @does_nothing() {
  func.return
}

// UNLIKE: error: 'stablehlo.{{all_gather|cross-replica-sum}}' op meets 'stablehlo.{{cross-replica-sum|all_gather}}' of another process of its group
func.func @unlike() {
  "interpreter.run_parallel"() {programs = [[@gathers], [@sums]]} : () -> ()
  func.return
}
func.func private @sums() {
  %x = stablehlo.constant dense<1> : tensor<1xi32>
  %y = "stablehlo.cross-replica-sum"(%x) {
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<1xi32>) -> tensor<1xi32>
  func.return
}

// Each receives before it sends.
// CROSSED: error: 'stablehlo.recv' op waits for what never comes: process 0 for data on channel 1, process 1 for data on channel 2
func.func @crossed() {
  "interpreter.run_parallel"() {programs = [[@from_1_to_2], [@from_2_to_1]]} : () -> ()
  func.return
}
func.func private @from_1_to_2() {
  %t = stablehlo.create_token : !stablehlo.token
  %x, %u = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %v = "stablehlo.send"(%x, %u) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true
  } : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  func.return
}
func.func private @from_2_to_1() {
  %t = stablehlo.create_token : !stablehlo.token
  %x, %u = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %v = "stablehlo.send"(%x, %u) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true
  } : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  func.return
}

// NO-INFEED: error: 'stablehlo.infeed' op
func.func @no_infeed() {
  %t = stablehlo.create_token : !stablehlo.token
  %x, %u = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  func.return
}

// NO-SEND: error: 'stablehlo.recv' op waits for what never comes: process 0 for data on channel 7
func.func @no_send() {
  %t = stablehlo.create_token : !stablehlo.token
  %x, %u = "stablehlo.recv"(%t) {
    channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>, is_host_transfer = true
  } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  func.return
}

// The failure of one is told, not that the other waits for it.
// CAUSE: error: {{'check.expect_eq_const' op|@check.expect_eq:}} 1 of 1 elements differ
// CAUSE-NOT: never comes
func.func @cause() {
  "interpreter.run_parallel"() {programs = [[@gathers], [@fails]]} : () -> ()
  func.return
}
func.func private @fails() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %x, dense<2> : tensor<i32>
  func.return
}
