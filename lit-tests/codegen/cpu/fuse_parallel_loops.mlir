// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-fuse-parallel-loops),cse)' --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-fuse-parallel-loops=explain --split-input-file --verify-diagnostics -o /dev/null

// Columns side by side: one loop over rows.
//
// CHECK-LABEL: func.func @columns
// CHECK: %[[LEFT:.*]] = memref.subview %{{.*}}[0, 0] [64, 8] [1, 1]
// CHECK: %[[RIGHT:.*]] = memref.subview %{{.*}}[0, 8] [64, 8] [1, 1]
// CHECK: scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%{{.*}}) step
// CHECK: scf.for %[[J:.*]] =
// CHECK: memref.store %{{.*}}, %[[LEFT]][%[[I]], %[[J]]]
// CHECK: scf.for %[[K:.*]] =
// CHECK: memref.store %{{.*}}, %[[RIGHT]][%[[I]], %[[K]]]
// CHECK-NOT: scf.parallel
func.func @columns(%a: memref<64x8xf32>, %out: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %left = memref.subview %out[0, 0] [64, 8] [1, 1] : memref<64x16xf32> to memref<64x8xf32, strided<[16, 1]>>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.for %j = %c0 to %c8 step %c1 {
      %0 = memref.load %a[%i, %j] : memref<64x8xf32>
      memref.store %0, %left[%i, %j] : memref<64x8xf32, strided<[16, 1]>>
    }
    scf.reduce
  }
  %right = memref.subview %out[0, 8] [64, 8] [1, 1] : memref<64x16xf32> to memref<64x8xf32, strided<[16, 1], offset: 8>>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.for %j = %c0 to %c8 step %c1 {
      %0 = memref.load %a[%i, %j] : memref<64x8xf32>
      memref.store %0, %right[%i, %j] : memref<64x8xf32, strided<[16, 1], offset: 8>>
    }
    scf.reduce
  }
  return
}

// -----

// Ranges of other lengths, of loops without loops inside: pieces, one after the other. The
// last piece of each range ends with it.
//
// CHECK-LABEL: func.func @pieces
// CHECK: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK: scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%[[FIVE]]) step
// CHECK: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[I]], %[[THREE]]
// CHECK: scf.if %[[FIRST]] {
// CHECK: arith.minsi %{{.*}}, %c10000
// CHECK: scf.for
// CHECK: math.exp
// CHECK: } else {
// CHECK: %[[REST:.*]] = arith.subi %[[I]], %[[THREE]]
// CHECK: arith.muli %[[REST]], %{{.*}}
// CHECK: arith.minsi %{{.*}}, %c5000
// CHECK: scf.for
// CHECK: math.sin
// CHECK-NOT: scf.parallel
func.func @pieces(%a: memref<10000xf32>, %out: memref<15000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5000 = arith.constant 5000 : index
  %c10000 = arith.constant 10000 : index
  %left = memref.subview %out[0] [10000] [1] : memref<15000xf32> to memref<10000xf32, strided<[1]>>
  scf.parallel (%i) = (%c0) to (%c10000) step (%c1) {
    %0 = memref.load %a[%i] : memref<10000xf32>
    %1 = math.exp %0 : f32
    memref.store %1, %left[%i] : memref<10000xf32, strided<[1]>>
    scf.reduce
  }
  %right = memref.subview %out[10000] [5000] [1] : memref<15000xf32> to memref<5000xf32, strided<[1], offset: 10000>>
  scf.parallel (%i) = (%c0) to (%c5000) step (%c1) {
    %0 = memref.load %a[%i] : memref<10000xf32>
    %1 = math.sin %0 : f32
    memref.store %1, %right[%i] : memref<5000xf32, strided<[1], offset: 10000>>
    scf.reduce
  }
  return
}

// -----

// The second loop reads what the first one writes; the third writes a buffer of its own.
//
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: scf.parallel
func.func @others(%a: memref<64xf32>, %out: memref<128xf32>, %other: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %left = memref.subview %out[0] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1]>>
  %right = memref.subview %out[64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
  // expected-remark @+1 {{is not joined with another loop: one of them accesses what the other one writes}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    memref.store %0, %left[%i] : memref<64xf32, strided<[1]>>
    scf.reduce
  }
  // expected-note @+1 {{the other}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %left[%i] : memref<64xf32, strided<[1]>>
    memref.store %0, %right[%i] : memref<64xf32, strided<[1], offset: 64>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    memref.store %0, %other[%i] : memref<64xf32>
    scf.reduce
  }
  return
}

// -----

// Even and odd elements have no element in common.
//
// CHECK-LABEL: func.func @interleaved
// CHECK-COUNT-1: scf.parallel
// CHECK-NOT: scf.parallel
func.func @interleaved(%a: memref<64xf32>, %out: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %even = memref.subview %out[0] [64] [2] : memref<128xf32> to memref<64xf32, strided<[2]>>
  %odd = memref.subview %out[1] [64] [2] : memref<128xf32> to memref<64xf32, strided<[2], offset: 1>>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    memref.store %0, %even[%i] : memref<64xf32, strided<[2]>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    memref.store %0, %odd[%i] : memref<64xf32, strided<[2], offset: 1>>
    scf.reduce
  }
  return
}

// -----

// A call between two loops may read what the first one writes, or write what it reads.
//
// CHECK-LABEL: func.func @between
// CHECK-COUNT-2: scf.parallel
func.func private @f()
func.func @between(%a: memref<64xf32>, %out: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %left = memref.subview %out[0] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1]>>
  %right = memref.subview %out[64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
  // expected-remark @+1 {{is not joined with another loop: an op between them may access memory}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = math.exp %0 : f32
    memref.store %1, %left[%i] : memref<64xf32, strided<[1]>>
    scf.reduce
  }
  // expected-note @+1 {{the op between them}}
  call @f() : () -> ()
  // expected-note @+1 {{the other}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = math.exp %0 : f32
    memref.store %1, %right[%i] : memref<64xf32, strided<[1], offset: 64>>
    scf.reduce
  }
  return
}

// -----

// An iteration of one loop is a loop itself, and there are other numbers of them.
//
// CHECK-LABEL: func.func @loops_inside
// CHECK-COUNT-2: scf.parallel
func.func @loops_inside(%a: memref<64xf32>, %out: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %left = memref.subview %out[0] [64] [1] : memref<96xf32> to memref<64xf32, strided<[1]>>
  %right = memref.subview %out[64] [32] [1] : memref<96xf32> to memref<32xf32, strided<[1], offset: 64>>
  // expected-remark @+1 {{is not joined with another loop: one of them has loops inside, and other iterations}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = math.exp %0 : f32
    memref.store %1, %left[%i] : memref<64xf32, strided<[1]>>
    scf.reduce
  }
  // expected-note @+1 {{the other}}
  scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
    scf.for %j = %c0 to %c64 step %c1 {
      %0 = memref.load %a[%j] : memref<64xf32>
      memref.store %0, %right[%i] : memref<32xf32, strided<[1], offset: 64>>
    }
    scf.reduce
  }
  return
}

// -----

// An iteration of one loop takes much longer than one of the other.
//
// CHECK-LABEL: func.func @unequal
// CHECK-COUNT-2: scf.parallel
func.func @unequal(%a: memref<64xf32>, %out: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %left = memref.subview %out[0] [64] [1] : memref<96xf32> to memref<64xf32, strided<[1]>>
  %right = memref.subview %out[64] [32] [1] : memref<96xf32> to memref<32xf32, strided<[1], offset: 64>>
  // expected-remark @+1 {{is not joined with another loop: an iteration of one of them takes much longer}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %left[%i] : memref<64xf32, strided<[1]>>
    scf.reduce
  }
  // expected-note @+1 {{the other}}
  scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = math.tanh %0 : f32
    %2 = math.exp %1 : f32
    %3 = math.sin %2 : f32
    %4 = math.tanh %3 : f32
    memref.store %4, %right[%i] : memref<32xf32, strided<[1], offset: 64>>
    scf.reduce
  }
  return
}

// -----

// A joined loop has eight parts at most.
//
// CHECK-LABEL: func.func @many
// CHECK-COUNT-2: scf.parallel
// CHECK-NOT: scf.parallel
func.func @many(%a: memref<64xf32>, %out: memref<576xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %p0 = memref.subview %out[0] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1]>>
  %p1 = memref.subview %out[64] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 64>>
  %p2 = memref.subview %out[128] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 128>>
  %p3 = memref.subview %out[192] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 192>>
  %p4 = memref.subview %out[256] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 256>>
  %p5 = memref.subview %out[320] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 320>>
  %p6 = memref.subview %out[384] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 384>>
  %p7 = memref.subview %out[448] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 448>>
  %p8 = memref.subview %out[512] [64] [1] : memref<576xf32> to memref<64xf32, strided<[1], offset: 512>>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p0[%i] : memref<64xf32, strided<[1]>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p1[%i] : memref<64xf32, strided<[1], offset: 64>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p2[%i] : memref<64xf32, strided<[1], offset: 128>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p3[%i] : memref<64xf32, strided<[1], offset: 192>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p4[%i] : memref<64xf32, strided<[1], offset: 256>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p5[%i] : memref<64xf32, strided<[1], offset: 320>>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p6[%i] : memref<64xf32, strided<[1], offset: 384>>
    scf.reduce
  }
  // expected-remark @+1 {{is not joined with another loop: the loop would have many parts}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p7[%i] : memref<64xf32, strided<[1], offset: 448>>
    scf.reduce
  }
  // expected-note @+1 {{the other}}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %p8[%i] : memref<64xf32, strided<[1], offset: 512>>
    scf.reduce
  }
  return
}
