// RUN: halo-opt %s --halo-canonicalize | FileCheck %s

// Upstream's pass comes to the same.
// RUN: halo-opt %s --canonicalize='region-simplify=disabled' | FileCheck %s

// Ops of several dialects.
// CHECK-LABEL: func.func @dialects(
// CHECK-SAME: %[[X:.*]]: index
// CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[X]], %[[FOUR]] : index
// CHECK-NEXT: return %[[SUM]]
func.func @dialects(%x: index, %t: tensor<4xf32>) -> index {
  %zero = arith.constant 0 : index
  %0 = arith.addi %x, %zero : index
  %1 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %2 = tensor.dim %1, %zero : tensor<?xf32>
  %3 = arith.addi %0, %2 : index
  return %3 : index
}

// A pattern of scf makes an op of arith, which another pattern of arith simplifies.
// CHECK-LABEL: func.func @made_by_patterns(
// CHECK-SAME: %[[C:.*]]: i1
// CHECK-NOT: scf.if
// CHECK: return %[[C]]
func.func @made_by_patterns(%c: i1) -> i1 {
  %true = arith.constant true
  %false = arith.constant false
  %0 = scf.if %c -> i1 {
    scf.yield %true : i1
  } else {
    scf.yield %false : i1
  }
  return %0 : i1
}

// A value that a loop carries twice is one.
// CHECK-LABEL: func.func @carried_twice(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32)
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[A]]
// CHECK-NEXT: scf.yield %[[S]] : f32
func.func @carried_twice(%from: index, %to: index, %step: index, %x: f32) -> (f32, f32) {
  %0:2 = scf.for %i = %from to %to step %step iter_args(%a = %x, %b = %x) -> (f32, f32) {
    %s = arith.addf %a, %b : f32
    scf.yield %s, %s : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}

// Blocks are not merged.
// CHECK-LABEL: func.func @blocks(
// CHECK: cf.cond_br
// CHECK: ^bb1:
// CHECK: ^bb2:
func.func @blocks(%c: i1, %x: memref<f32>, %v: f32) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.store %v, %x[] : memref<f32>
  return
^bb2:
  memref.store %v, %x[] : memref<f32>
  return
}
