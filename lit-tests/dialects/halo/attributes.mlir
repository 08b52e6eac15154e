// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK: module attributes {halo.call_sites = [{location = "a.mlir:1:2", operand_types = [tensor<2xui8>], result_types = [], target = "f"}], halo.constants = dense<[1, -1]> : tensor<2xi8>, halo.fold_element_limit = 64 : i64, halo.link = array<i64: 20000, 5000, 2000000000>}
module attributes {halo.link = array<i64: 20000, 5000, 2000000000>, halo.fold_element_limit = 64 : i64, halo.constants = dense<[1, -1]> : tensor<2xi8>, halo.call_sites = [{target = "f", location = "a.mlir:1:2", operand_types = [tensor<2xui8>], result_types = []}]} {
  // CHECK: attributes {halo.arena_bytes = 256 : i64, halo.arena_largest = "a.mlir:1:2", halo.entry}
  func.func @main(%out: memref<4xf32>, %arena: memref<256xi8>) attributes {halo.entry, halo.arena_bytes = 256 : i64, halo.arena_largest = "a.mlir:1:2"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: linalg.fill {halo.precision = #halo.precision<highest>}
    linalg.fill {halo.precision = #halo.precision<highest>} ins(%zero : f32) outs(%out : memref<4xf32>)
    // CHECK: linalg.fill {halo.tile_sizes = array<i64: 2>}
    linalg.fill {halo.tile_sizes = array<i64: 2>} ins(%zero : f32) outs(%out : memref<4xf32>)
    // CHECK: } {halo.scatter = #halo.scatter<unique>}
    scf.for %i = %c0 to %c1 step %c1 {
    } {halo.scatter = #halo.scatter<unique>}
    // CHECK: } {halo.packing}
    scf.for %i = %c0 to %c1 step %c1 {
    } {halo.packing}
    // CHECK: } {halo.parallel}
    scf.for %i = %c0 to %c1 step %c1 {
    } {halo.parallel}
    // CHECK: } {halo.remainder}
    scf.for %i = %c0 to %c1 step %c1 {
    } {halo.remainder}
    // CHECK: } {halo.unroll = 4 : index}
    scf.for %i = %c0 to %c1 step %c1 {
    } {halo.unroll = 4 : index}
    // CHECK: } {halo.packing}
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    } {halo.packing}
    gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
      // CHECK: nvgpu.device_async_create_group {halo.group}
      %0 = nvgpu.device_async_create_group {halo.group}
      // CHECK: } {halo.strategy = "row_reduction"}
      gpu.terminator
    } {halo.strategy = "row_reduction"}
    return
  }
  // CHECK: attributes {halo.caller_bytes = 256 : i64}
  func.func private @of_caller() attributes {halo.caller_bytes = 256 : i64} {
    return
  }
  module attributes {transform.with_named_sequence} {
    // CHECK: attributes {halo.applies_to = "@main"}
    transform.named_sequence @first(%function: !transform.any_op {transform.readonly}) attributes {halo.applies_to = "@main"} {
      transform.yield
    }
  }
}
