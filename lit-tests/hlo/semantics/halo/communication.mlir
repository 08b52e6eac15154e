// RUN: halo-opt %s --verify-diagnostics --split-input-file

func.func @source(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{'halo.collective_start' op attribute 'source_op' has 'stablehlo.add', which is not a collective}}
  %0 = halo.collective_start "stablehlo.add"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = []} : tensor<4xf32>
  return
}

// -----

func.func @twice(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'groups' has 1 twice}}
  %0 = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = [array<i64: 0, 1>, array<i64: 1>]} : tensor<4xf32>
  return
}

// -----

func.func @padding(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'groups' has -1, but processes are numbered from 0}}
  %0 = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = [array<i64: 0, -1>]} : tensor<4xf32>
  return
}

// -----

func.func @pair(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'groups' has [0], which is not a source and a target}}
  %0 = halo.collective_start "stablehlo.collective_permute"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = [array<i64: 0>]} : tensor<4xf32>
  return
}

// -----

func.func @target(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'groups' has 1 twice as target}}
  %0 = halo.collective_start "stablehlo.collective_permute"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = [array<i64: 0, 1>, array<i64: 2, 1>]} : tensor<4xf32>
  return
}

// -----

func.func @grouping(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'grouping' failed to satisfy constraint}}
  %0 = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = "cross_replica", groups = []} : tensor<4xf32>
  return
}

// -----

func.func @groups(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'groups' failed to satisfy constraint: array of groups of processes}}
  %0 = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = dense<0> : tensor<1x1xi64>} : tensor<4xf32>
  return
}

// -----

func.func @no_channel(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{requires attribute 'channel'}}
  %0 = halo.collective_start "stablehlo.all_reduce"(%x) {grouping = #halo.grouping<cross_replica>, groups = []} : tensor<4xf32>
  return
}

// -----

func.func @size(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'group_size' failed to satisfy constraint}}
  %0 = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, group_size = -1 : i64, groups = []} : tensor<4xf32>
  return
}

// -----

func.func @wait_of_another(%x: tensor<4xf32>, %t: tensor<i64>) {
  %s = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = []} : tensor<4xf32>
  // expected-error @+1 {{'halo.collective_wait' op attribute 'source_op' has 'stablehlo.all_gather', but the ticket is one of 'stablehlo.all_reduce'}}
  %0:2 = halo.collective_wait "stablehlo.all_gather" %s
  return
}

// -----

func.func @member_of_another(%x: tensor<4xf32>, %t: tensor<i64>) {
  %s = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = []} : tensor<4xf32>
  // expected-error @+1 {{'halo.collective_member' op attribute 'source_op' has 'stablehlo.all_gather', but the ticket is one of 'stablehlo.all_reduce'}}
  %0 = halo.collective_member "stablehlo.all_gather" %s[%t] : tensor<4xf32>
  return
}

// -----

func.func @end_of_another(%x: tensor<4xf32>, %t: tensor<i64>) {
  %s = halo.collective_start "stablehlo.all_reduce"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = []} : tensor<4xf32>
  // expected-error @+1 {{'halo.collective_end' op attribute 'source_op' has 'stablehlo.all_gather', but the ticket is one of 'stablehlo.all_reduce'}}
  halo.collective_end "stablehlo.all_gather" %s
  return
}

// -----

func.func @ticket(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{operand #0 must be 0D tensor of 64-bit signless integer values}}
  "halo.collective_end"(%x) {source_op = "stablehlo.all_reduce"} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @send_pair(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{'halo.send' op attribute 'pairs' has [0, 1, 2], which is not a source and a target}}
  halo.send(%x) {channel = 1 : i64, pairs = [array<i64: 0, 1, 2>]} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @recv_pair(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{'halo.recv' op attribute 'pairs' has 0 twice as source}}
  %0 = halo.recv() {channel = 1 : i64, pairs = [array<i64: 0, 1>, array<i64: 0, 2>]} : () -> tensor<4xf32>
  return
}

// -----

func.func @recv_process(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'pairs' has -1, but processes are numbered from 0}}
  %0 = halo.recv() {channel = 1 : i64, pairs = [array<i64: 0, -1>]} : () -> tensor<4xf32>
  return
}

// -----

func.func @sent(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{result #0 must be variadic of token}}
  %0 = "halo.send"(%x) {channel = 1 : i64, pairs = []} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @infeed(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{operand #0 must be variadic of token}}
  %0 = "halo.infeed"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @outfeed(%m: memref<4xf32>) {
  // expected-error @+1 {{operand #0 must be variadic of}}
  "halo.outfeed"(%m) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @no_programs(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{'halo.run_parallel' op attribute 'programs' has no program to run}}
  halo.run_parallel() {programs = []} : () -> ()
  return
}

// -----

func.func @empty_row(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'programs' has no program to run}}
  halo.run_parallel() {programs = [[]]} : () -> ()
  return
}

// -----

func.func @rows(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'programs' has 2 programs for replica 1, but 1 for replica 0}}
  halo.run_parallel() {programs = [["a"], ["a", "b"]]} : () -> ()
  return
}

// -----

func.func @symbols(%x: tensor<4xf32>, %t: tensor<i64>) {
  // expected-error @+1 {{attribute 'programs' failed to satisfy constraint: array of arrays of programs}}
  halo.run_parallel() {programs = [[@rows]]} : () -> ()
  return
}
