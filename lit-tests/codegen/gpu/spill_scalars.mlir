// RUN: halo-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(halo-spill-scalars))' | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @counted(
// CHECK:         %[[CELL:.*]] = memref.alloc() {{.*}} : memref<f32>
// CHECK:         memref.store %{{.*}}, %[[CELL]][] : memref<f32>
// CHECK:         scf.for %{{.*}} = %c0 to %c8 step %c1 {
// CHECK-NEXT:      %[[A:.*]] = memref.load %[[CELL]][] : memref<f32>
// CHECK:           linalg.generic
// CHECK:             arith.addf %{{.*}}, %[[A]] : f32
// CHECK:           %[[NEXT:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-NEXT:      memref.store %[[NEXT]], %[[CELL]][] : memref<f32>
// CHECK:         %[[R:.*]] = memref.load %[[CELL]][] : memref<f32>
// CHECK:         return %[[R]]
func.func @counted(%s: f32, %x: memref<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %s) -> f32 {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<64xf32>) outs(%x : memref<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %a : f32
      linalg.yield %1 : f32
    }
    %next = arith.mulf %a, %a : f32
    scf.yield %next : f32
  }
  return %0 : f32
}

// -----

#id = affine_map<(d0) -> (d0)>

// What the condition computes gets a cell of its own; what it passes on as it
// is does not.
// CHECK-LABEL: func.func @until(
// CHECK:         %[[I:.*]] = memref.alloc() {{.*}} : memref<i32>
// CHECK:         %[[TWICE:.*]] = memref.alloc() {{.*}} : memref<i32>
// CHECK:         scf.while : () -> () {
// CHECK-NEXT:      %[[NOW:.*]] = memref.load %[[I]][]
// CHECK:           %[[DOUBLE:.*]] = arith.addi %[[NOW]], %[[NOW]]
// CHECK-NOT:       memref.store %[[NOW]]
// CHECK:           memref.store %[[DOUBLE]], %[[TWICE]][]
// CHECK-NEXT:      scf.condition(%{{[^)]*}})
// CHECK:         } do {
// CHECK-DAG:       memref.load %[[I]][]
// CHECK-DAG:       memref.load %[[TWICE]][]
// CHECK:           linalg.fill
// CHECK:           memref.store %{{.*}}, %[[I]][]
// CHECK-NEXT:      scf.yield
func.func @until(%n: i32, %x: memref<64xi32>) -> (i32, i32) {
  %c1 = arith.constant 1 : i32
  %0:2 = scf.while (%i = %n) : (i32) -> (i32, i32) {
    %double = arith.addi %i, %i : i32
    %more = arith.cmpi slt, %double, %n : i32
    scf.condition(%more) %double, %i : i32, i32
  } do {
  ^bb0(%double: i32, %i: i32):
    linalg.fill ins(%double : i32) outs(%x : memref<64xi32>)
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  return %0#0, %0#1 : i32, i32
}

// -----

// CHECK-LABEL: func.func @branches(
// CHECK:         %[[CELL:.*]] = memref.alloc() {{.*}} : memref<f32>
// CHECK:         scf.if %{{.*}} {
// CHECK:           linalg.fill
// CHECK:           memref.store %{{.*}}, %[[CELL]][]
// CHECK:         } else {
// CHECK:           memref.store %{{.*}}, %[[CELL]][]
// CHECK:         memref.load %[[CELL]][]
func.func @branches(%p: i1, %a: f32, %b: f32, %x: memref<64xf32>) -> f32 {
  %0 = scf.if %p -> (f32) {
    linalg.fill ins(%a : f32) outs(%x : memref<64xf32>)
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  return %0 : f32
}

// -----

// A loop of scalar code alone is one kernel; its numbers stay in registers.
// CHECK-LABEL: func.func @scalar_code(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for {{.*}} iter_args
func.func @scalar_code(%s: f32, %x: memref<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %s) -> f32 {
    %1 = memref.load %x[%i] : memref<64xf32>
    %next = arith.addf %a, %1 : f32
    scf.yield %next : f32
  }
  return %0 : f32
}

// Tensors are no scalars.

// CHECK-LABEL: func.func @tensors
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (tensor<i32>)
func.func @tensors(%a: memref<4xf32>, %b: memref<4xf32>, %n: index, %t: tensor<i32>) -> tensor<i32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<i32>) {
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    scf.yield %x : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// A result that nothing uses, because all branches return one buffer, is removed, and the scalar is
// spilled.
// CHECK-LABEL: func.func @unused_buffer(
// CHECK:         %[[CELL:.*]] = memref.alloc() {{.*}} : memref<f32>
// CHECK:         scf.index_switch %{{[a-z0-9]+}}{{ *$}}
// CHECK:         case 0 {
// CHECK:           linalg.fill
// CHECK-NEXT:      memref.store %{{.*}}, %[[CELL]][]
// CHECK:         default {
// CHECK:           memref.copy
// CHECK-NEXT:      memref.store %{{.*}}, %[[CELL]][]
// CHECK:         memref.load %[[CELL]][]
func.func @unused_buffer(%i: index, %a: f32, %b: f32, %x: memref<64xf32>, %y: memref<64xf32>) -> f32 {
  %0:2 = scf.index_switch %i -> memref<64xf32>, f32
  case 0 {
    linalg.fill ins(%a : f32) outs(%x : memref<64xf32>)
    scf.yield %x, %a : memref<64xf32>, f32
  }
  default {
    memref.copy %y, %x : memref<64xf32> to memref<64xf32>
    scf.yield %x, %b : memref<64xf32>, f32
  }
  return %0#1 : f32
}

// -----

// A scatter is a kernel.
// CHECK-LABEL: func.func @around_scatter(
// CHECK:         scf.while : () -> () {
// CHECK:         } do {
// CHECK:           scf.for
// CHECK:           halo.scatter
func.func @around_scatter(%n: i32, %x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %0 = scf.while (%i = %one) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    scf.for %j = %c0 to %c64 step %c1 {
      %update = memref.load %y[%j] : memref<64xf32>
      memref.store %update, %x[%j] : memref<64xf32>
    } {halo.scatter = #halo.scatter<unique>}
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  return
}
