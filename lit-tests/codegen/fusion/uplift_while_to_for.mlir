// RUN: halo-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(halo-uplift-while-to-for),canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @up(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>
// CHECK:         %[[R:.*]] = scf.for %[[K:.*]] = %c2 to %c11 step %c3 iter_args(%[[A:.*]] = %[[X]]) -> (tensor<8xf32>) {
// CHECK-NEXT:      %[[I:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK-NEXT:      %[[B:.*]] = func.call @next(%[[I]], %[[A]])
// CHECK-NEXT:      scf.yield %[[B]] : tensor<8xf32>
// CHECK:         return %c11_i32, %[[R]]
func.func private @next(i32, tensor<8xf32>) -> tensor<8xf32>
func.func @up(%x: tensor<8xf32>) -> (i32, tensor<8xf32>) {
  %start = arith.constant 2 : i32
  %bound = arith.constant 10 : i32
  %step = arith.constant 3 : i32
  %0:2 = scf.while (%i = %start, %a = %x) : (i32, tensor<8xf32>) -> (i32, tensor<8xf32>) {
    %p = arith.cmpi slt, %i, %bound : i32
    scf.condition(%p) %i, %a : i32, tensor<8xf32>
  } do {
  ^bb0(%i: i32, %a: tensor<8xf32>):
    %b = func.call @next(%i, %a) : (i32, tensor<8xf32>) -> tensor<8xf32>
    %j = arith.addi %step, %i : i32
    scf.yield %j, %b : i32, tensor<8xf32>
  }
  return %0#0, %0#1 : i32, tensor<8xf32>
}

// -----

// From 9 down to 0, ten times.
// CHECK-LABEL: func.func @down(
// CHECK:         scf.for %[[K:.*]] = %c0 to %c10 step %c1 {
// CHECK:           %[[C:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK:           %[[I:.*]] = arith.subi %c9_i32, %[[C]]
// CHECK:           func.call @use(%[[I]])
// CHECK:         return %c-1_i32
func.func private @use(i32)
func.func @down() -> i32 {
  %start = arith.constant 9 : i32
  %bound = arith.constant 0 : i32
  %step = arith.constant -1 : i32
  %0 = scf.while (%i = %start) : (i32) -> i32 {
    %p = arith.cmpi sge, %i, %bound : i32
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%i: i32):
    func.call @use(%i) : (i32) -> ()
    %j = arith.addi %i, %step : i32
    scf.yield %j : i32
  }
  return %0 : i32
}

// -----

// The bound is known when the loop starts; the values change places on the way
// to the body; the counter is what it would have been.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME:    %[[M:.*]]: i64, %[[N:.*]]: i64, %[[X:.*]]: f32
// CHECK-DAG:     %[[LOWER:.*]] = arith.index_cast %[[M]] : i64 to index
// CHECK-DAG:     %[[UPPER:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK:         %[[R:.*]] = scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step %c1 iter_args(%[[A:.*]] = %[[X]]) -> (f32)
// CHECK:         %[[LAST:.*]] = arith.maxsi %[[M]], %[[N]] : i64
// CHECK:         return %[[LAST]], %[[R]]
func.func @computed(%m: i64, %n: i64, %x: f32) -> (i64, f32) {
  %one = arith.constant 1 : i64
  %0:3 = scf.while (%i = %m, %a = %x, %bound = %n) : (i64, f32, i64) -> (f32, i64, i64) {
    %p = arith.cmpi sgt, %bound, %i : i64
    scf.condition(%p) %a, %bound, %i : f32, i64, i64
  } do {
  ^bb0(%a: f32, %bound: i64, %i: i64):
    %b = arith.mulf %a, %a : f32
    %j = arith.addi %i, %one : i64
    scf.yield %j, %b, %bound : i64, f32, i64
  }
  return %0#2, %0#0 : i64, f32
}

// -----

// No iteration at all.
// CHECK-LABEL: func.func @none(
// CHECK-SAME:    %[[X:.*]]: f32
// CHECK-NOT:     scf.
// CHECK:         return %c5_i32, %[[X]]
func.func @none(%x: f32) -> (i32, f32) {
  %start = arith.constant 5 : i32
  %bound = arith.constant 3 : i32
  %step = arith.constant 1 : i32
  %0:2 = scf.while (%i = %start, %a = %x) : (i32, f32) -> (i32, f32) {
    %p = arith.cmpi ult, %i, %bound : i32
    scf.condition(%p) %i, %a : i32, f32
  } do {
  ^bb0(%i: i32, %a: f32):
    %b = arith.mulf %a, %a : f32
    %j = arith.addi %i, %step : i32
    scf.yield %j, %b : i32, f32
  }
  return %0#0, %0#1 : i32, f32
}

// -----

// The counter would wrap: i8 has no number above 127.
// CHECK-LABEL: func.func @wraps(
// CHECK:         scf.while
func.func @wraps(%x: f32) -> f32 {
  %start = arith.constant 0 : i8
  %bound = arith.constant 126 : i8
  %step = arith.constant 4 : i8
  %0:2 = scf.while (%i = %start, %a = %x) : (i8, f32) -> (i8, f32) {
    %p = arith.cmpi slt, %i, %bound : i8
    scf.condition(%p) %i, %a : i8, f32
  } do {
  ^bb0(%i: i8, %a: f32):
    %b = arith.mulf %a, %a : f32
    %j = arith.addi %i, %step : i8
    scf.yield %j, %b : i8, f32
  }
  return %0#1 : f32
}

// -----

// The body changes the bound, steps by what it computes, or the condition asks
// for more: these do not count.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: scf.while
// CHECK-NOT:     scf.for
func.func @others(%n: i32, %s: i32, %q: i1) -> (i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %0:2 = scf.while (%i = %zero, %bound = %n) : (i32, i32) -> (i32, i32) {
    %p = arith.cmpi slt, %i, %bound : i32
    scf.condition(%p) %i, %bound : i32, i32
  } do {
  ^bb0(%i: i32, %bound: i32):
    %less = arith.subi %bound, %one : i32
    %j = arith.addi %i, %one : i32
    scf.yield %j, %less : i32, i32
  }
  %1 = scf.while (%i = %zero) : (i32) -> i32 {
    %p = arith.cmpi slt, %i, %n : i32
    scf.condition(%p) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %s : i32
    scf.yield %j : i32
  }
  %2 = scf.while (%i = %zero) : (i32) -> i32 {
    %p = arith.cmpi slt, %i, %n : i32
    %both = arith.andi %p, %q : i1
    scf.condition(%both) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %one : i32
    scf.yield %j : i32
  }
  return %0#0, %1, %2 : i32, i32, i32
}

// -----

// All the way from the least i64: the distance is no i64, and upstream's passes
// would take the loop for one without iterations.
// CHECK-LABEL: func.func @far(
// CHECK:         scf.while
func.func @far(%x: f32) -> f32 {
  %start = arith.constant -9223372036854775808 : i64
  %bound = arith.constant 8070450532247928832 : i64
  %step = arith.constant 1152921504606846976 : i64
  %0:2 = scf.while (%i = %start, %a = %x) : (i64, f32) -> (i64, f32) {
    %p = arith.cmpi slt, %i, %bound : i64
    scf.condition(%p) %i, %a : i64, f32
  } do {
  ^bb0(%i: i64, %a: f32):
    %b = arith.mulf %a, %a : f32
    %j = arith.addi %i, %step : i64
    scf.yield %j, %b : i64, f32
  }
  return %0#1 : f32
}
