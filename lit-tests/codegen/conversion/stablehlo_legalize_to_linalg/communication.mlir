// RUN: halo-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// Ops that communicate become calls of the runtime, with their attributes.

// CHECK-LABEL: func.func @collective
// CHECK: %[[TICKET:.*]] = halo.custom_call "halo.collective_start"(%arg0) {dictionary = {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = [array<i64: 0, 1>], source_op = "stablehlo.all_gather"}, operand_types = [tensor<4xui8>], result_types = [tensor<i64>]} : (tensor<4xi8>) -> tensor<i64>
// CHECK: %[[GROUP:.*]]:2 = halo.custom_call "halo.collective_wait"(%[[TICKET]]) {dictionary = {source_op = "stablehlo.all_gather"}, operand_types = [tensor<i64>], result_types = [tensor<i64>, tensor<i64>]}
// CHECK: %{{.*}} = halo.custom_call "halo.collective_member"(%[[TICKET]], %[[GROUP]]#0) {dictionary = {source_op = "stablehlo.all_gather"}, operand_types = [tensor<i64>, tensor<i64>], result_types = [tensor<4xui8>]}
// CHECK: halo.custom_call "halo.collective_end"(%[[TICKET]])
func.func @collective(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = halo.collective_start "stablehlo.all_gather"(%x) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = [array<i64: 0, 1>]} : tensor<4xui8>
  %place, %size = halo.collective_wait "stablehlo.all_gather" %0
  %1 = halo.collective_member "stablehlo.all_gather" %0[%place] : tensor<4xui8>
  halo.collective_end "stablehlo.all_gather" %0
  return %1 : tensor<4xui8>
}

// CHECK-LABEL: func.func @transfers
// CHECK: halo.custom_call "halo.infeed"() {operand_types = [], result_types = [tensor<i32>]}
// CHECK: halo.custom_call "halo.send"(%{{.*}}) {dictionary = {channel = 1 : i64, pairs = [array<i64: 0, 1>]}, operand_types = [tensor<i32>], result_types = []}
// CHECK: halo.custom_call "halo.recv"() {dictionary = {channel = 2 : i64, pairs = []}, operand_types = [], result_types = [tensor<f32>]}
// CHECK: halo.custom_call "halo.outfeed"
// CHECK: halo.custom_call "halo.run_parallel"() {dictionary = {programs = {{\[\[}}"one"], ["two"]]}, operand_types = [], result_types = []}
func.func @transfers() {
  %0 = halo.infeed() : () -> tensor<i32>
  halo.send(%0) {channel = 1 : i64, pairs = [array<i64: 0, 1>]} : (tensor<i32>) -> ()
  %1 = halo.recv() {channel = 2 : i64, pairs = []} : () -> tensor<f32>
  halo.outfeed(%1) : (tensor<f32>) -> ()
  halo.run_parallel() {programs = [["one"], ["two"]]} : () -> ()
  return
}

// A probe hands its operand on.
// CHECK-LABEL: func.func @probe
// CHECK: %[[ID:.*]] = halo.custom_call "halo.replica_id"() {operand_types = [], result_types = [tensor<ui32>]} : () -> tensor<i32>
// CHECK: halo.custom_call "halo.probe"(%[[ID]]) {dictionary = {probe_id = "p"}, operand_types = [tensor<ui32>], result_types = []} : (tensor<i32>) -> ()
// CHECK: halo.custom_call "halo.print"(%[[ID]]) {operand_types = [tensor<ui32>], result_types = []}
// CHECK: halo.custom_call "halo.expect_serialized_eq"(%[[ID]]) {dictionary = {iter = 1 : ui32, probe_id = "p"}
// CHECK: halo.custom_call "halo.partition_id"()
// CHECK: return %[[ID]]
func.func @probe() -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = interpreter.probe %0, probe_id = "p" : tensor<ui32>
  interpreter.print %1 : tensor<ui32>
  check.expect_serialized_eq %1, probe_id = "p", iter = 1 : tensor<ui32>
  %2 = stablehlo.partition_id : tensor<ui32>
  return %1 : tensor<ui32>
}
