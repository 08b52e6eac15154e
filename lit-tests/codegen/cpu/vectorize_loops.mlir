// RUN: halo-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(halo-vectorize-loops))' | FileCheck %s
// RUN: halo-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(halo-vectorize-loops{vector-bits=512}))' | FileCheck %s --check-prefix=WIDE
// RUN: halo-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(halo-vectorize-loops{vector-bits=384}))' | FileCheck %s --check-prefix=ODD

// Lanes that cannot be halved are left to LLVM.
// ODD-NOT: vector.

// The vectors of a short body have the lanes of four registers, which divide the loop. What is
// the same in all iterations is spread.

// CHECK-LABEL: func.func @whole
//  CHECK-SAME:   (%[[X:.*]]: memref<64x96xf32>, %[[Y:.*]]: memref<64x96xf32>, %[[I:.*]]: index, %[[F:.*]]: f32)
//       CHECK:   scf.for %[[J:.*]] = %c0 to %c96 step %c32
//       CHECK:     %[[A:.*]] = vector.load %[[X]][%[[I]], %[[J]]] : memref<64x96xf32>, vector<32xf32>
//       CHECK:     %[[B:.*]] = vector.broadcast %[[F]] : f32 to vector<32xf32>
//       CHECK:     %[[C:.*]] = arith.mulf %[[A]], %[[B]] : vector<32xf32>
//       CHECK:     vector.store %[[C]], %[[Y]][%[[I]], %[[J]]] : memref<64x96xf32>, vector<32xf32>
//   CHECK-NOT:   scf.for
//       CHECK:   return

// WIDE-LABEL: func.func @whole
//       WIDE:   scf.for %{{.*}} = %c0 to %c96 step %c32
func.func @whole(%x: memref<64x96xf32>, %y: memref<64x96xf32>, %i: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  scf.for %j = %c0 to %c96 step %c1 {
    %0 = memref.load %x[%i, %j] : memref<64x96xf32>
    %1 = arith.mulf %0, %f : f32
    memref.store %1, %y[%i, %j] : memref<64x96xf32>
  } {halo.parallel}
  return
}

// -----

// A sum has a part of it in each lane, which are added half by half. One more vector has the
// iterations that are left over, in its last lanes.

// CHECK-LABEL: func.func @sum
//  CHECK-SAME:   (%[[X:.*]]: memref<1003xf32>, %[[INIT:.*]]: f32)
//       CHECK:   %[[ZEROS:.*]] = vector.broadcast %{{.*}} : f32 to vector<32xf32>
//       CHECK:   %[[LANES:.*]] = scf.for %[[J:.*]] = %c0 to %c992{{.*}} step %c32{{.*}} iter_args(%[[ACC:.*]] = %[[ZEROS]]) -> (vector<32xf32>)
//       CHECK:     %[[A:.*]] = vector.load %[[X]][%[[J]]] : memref<1003xf32>, vector<32xf32>
//       CHECK:     %[[B:.*]] = arith.addf %[[ACC]], %[[A]] fastmath<reassoc> : vector<32xf32>
//       CHECK:     scf.yield %[[B]]
//       CHECK:   %[[DONE:.*]] = vector.constant_mask [21] : vector<32xi1>
//       CHECK:   %[[A:.*]] = vector.load %[[X]][%c971{{.*}}] : memref<1003xf32>, vector<32xf32>
//       CHECK:   %[[B:.*]] = arith.addf %[[LANES]], %[[A]] fastmath<reassoc> : vector<32xf32>
//       CHECK:   %[[LAST:.*]] = arith.select %[[DONE]], %[[LANES]], %[[B]]
//       CHECK:   %[[LOW:.*]] = vector.shuffle %[[LAST]], %[[LAST]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
//       CHECK:   %[[HIGH:.*]] = vector.shuffle %[[LAST]], %[[LAST]] [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
//       CHECK:   arith.addf %[[LOW]], %[[HIGH]] fastmath<reassoc> : vector<16xf32>
//       CHECK:   %[[ALL:.*]] = vector.extract %{{.*}}[0] : f32 from vector<1xf32>
//       CHECK:   %[[SUM:.*]] = arith.addf %[[INIT]], %[[ALL]] fastmath<reassoc> : f32
//   CHECK-NOT:   scf.for
//       CHECK:   return %[[SUM]]
func.func @sum(%x: memref<1003xf32>, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1003 = arith.constant 1003 : index
  %sum = scf.for %j = %c0 to %c1003 step %c1 iter_args(%acc = %init) -> (f32) {
    %0 = memref.load %x[%j] : memref<1003xf32>
    %1 = arith.addf %acc, %0 fastmath<reassoc> : f32
    scf.yield %1 : f32
  } {halo.parallel}
  return %sum : f32
}

// -----

// Fewer iterations than a vector has registers are left over.

// CHECK-LABEL: func.func @sum_and_one
//       CHECK:   vector.load %{{.*}} : memref<993xf32>, vector<32xf32>
//   CHECK-NOT:   vector.load
//       CHECK:   scf.for %{{.*}} = %c992{{.*}} to %c993 step %c1 iter_args
//       CHECK:   } {halo.remainder}
func.func @sum_and_one(%x: memref<993xf32>, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c993 = arith.constant 993 : index
  %sum = scf.for %j = %c0 to %c993 step %c1 iter_args(%acc = %init) -> (f32) {
    %0 = memref.load %x[%j] : memref<993xf32>
    %1 = arith.addf %acc, %0 fastmath<reassoc> : f32
    scf.yield %1 : f32
  } {halo.parallel}
  return %sum : f32
}

// -----

// The bounds of a range of iterations are known when it runs. An empty range, which may end
// before it begins, has no vector.

// CHECK-LABEL: func.func @range
//  CHECK-SAME:   (%[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:[^:]*]]: memref<1000xi32>
//       CHECK:   %[[LENGTH:.*]] = arith.subi %[[END]], %[[BEGIN]]
//       CHECK:   %[[POSITIVE:.*]] = arith.maxsi %[[LENGTH]], %c0
//       CHECK:   %[[REST:.*]] = arith.remui %[[POSITIVE]], %c32
//       CHECK:   %[[WHOLE:.*]] = arith.subi %[[POSITIVE]], %[[REST]]
//       CHECK:   %[[LAST:.*]] = arith.addi %[[BEGIN]], %[[WHOLE]]
//       CHECK:   scf.for %[[J:.*]] = %[[BEGIN]] to %[[LAST]] step %c32
//       CHECK:     vector.load %[[X]][%[[J]]] : memref<1000xi32>, vector<32xi32>
//       CHECK:   scf.for %{{.*}} = %[[LAST]] to %[[END]] step %c1
//       CHECK:   } {halo.remainder}
func.func @range(%begin: index, %end: index, %x: memref<1000xi32>, %y: memref<1000xi32>) {
  %c1 = arith.constant 1 : index
  scf.for %j = %begin to %end step %c1 {
    %0 = memref.load %x[%j] : memref<1000xi32>
    %1 = arith.addi %0, %0 : i32
    memref.store %1, %y[%j] : memref<1000xi32>
  } {halo.parallel}
  return
}

// -----

// A piece of a loop is made of whole vectors where all its bounds are. Elements beside those
// of the loop are side by side, too.

// CHECK-LABEL: func.func @piece
//       CHECK:   scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c16
//       CHECK:     %[[NEXT:.*]] = arith.addi %[[J]], %c1
//       CHECK:     vector.load %{{.*}}[%[[NEXT]]] : memref<1025xf32>, vector<16xf32>
//   CHECK-NOT:   scf.for
func.func @piece(%number: index, %x: memref<1025xf32>, %y: memref<1024xf32>) {
  %c1 = arith.constant 1 : index
  %c192 = arith.constant 192 : index
  %c1024 = arith.constant 1024 : index
  %lower = arith.muli %number, %c192 : index
  %end = arith.addi %lower, %c192 : index
  %upper = arith.minsi %end, %c1024 : index
  scf.for %j = %lower to %upper step %c1 {
    %0 = memref.load %x[%j] : memref<1025xf32>
    %next = arith.addi %j, %c1 : index
    %1 = memref.load %x[%next] : memref<1025xf32>
    %2 = arith.addf %0, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = arith.mulf %4, %4 : f32
    memref.store %5, %y[%j] : memref<1024xf32>
  } {halo.parallel}
  return
}

// -----

// Lanes are as wide as the widest numbers.

// CHECK-LABEL: func.func @widths
//       CHECK:   scf.for %{{.*}} = %c0 to %c64 step %c8
//       CHECK:     vector.load %{{.*}} : memref<64xi8>, vector<8xi8>
//       CHECK:     arith.extui %{{.*}} : vector<8xi8> to vector<8xi32>
//       CHECK:     arith.sitofp %{{.*}} : vector<8xi32> to vector<8xf32>
func.func @widths(%x: memref<64xi8>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 2.0 : f32
  scf.for %j = %c0 to %c64 step %c1 {
    %0 = memref.load %x[%j] : memref<64xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %f : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = arith.mulf %4, %4 : f32
    %6 = arith.mulf %5, %5 : f32
    %7 = arith.mulf %6, %6 : f32
    %8 = arith.mulf %7, %7 : f32
    memref.store %8, %y[%j] : memref<64xf32>
  } {halo.parallel}
  return
}

// -----

// A loop in the body has the same iterations in all lanes; what it carries becomes vectors.

// CHECK-LABEL: func.func @inner_loop
//  CHECK-SAME:   (%[[X:.*]]: memref<3x64xf32>, %[[K:.*]]: memref<3xf32>, %[[Y:.*]]: memref<64xf32>, %[[F:.*]]: f32)
//       CHECK:   scf.for %[[J:.*]] = %c0 to %c64 step %c32
//       CHECK:     %[[INIT:.*]] = vector.broadcast %[[F]] : f32 to vector<32xf32>
//       CHECK:     %[[SUM:.*]] = scf.for %[[ROW:.*]] = %c0 to %c3 step %c1 iter_args(%[[ACC:.*]] = %[[INIT]]) -> (vector<32xf32>)
//       CHECK:       %[[A:.*]] = vector.load %[[X]][%[[ROW]], %[[J]]] : memref<3x64xf32>, vector<32xf32>
//       CHECK:       %[[B:.*]] = memref.load %[[K]][%[[ROW]]]
//       CHECK:       %[[C:.*]] = vector.broadcast %[[B]] : f32 to vector<32xf32>
//       CHECK:       %[[D:.*]] = arith.mulf %[[A]], %[[C]] : vector<32xf32>
//       CHECK:       %[[E:.*]] = arith.addf %[[ACC]], %[[D]] : vector<32xf32>
//       CHECK:       scf.yield %[[E]] : vector<32xf32>
//       CHECK:     vector.store %[[SUM]], %[[Y]][%[[J]]]
//   CHECK-NOT:   scf.for
func.func @inner_loop(%x: memref<3x64xf32>, %k: memref<3xf32>, %y: memref<64xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c1 {
    %sum = scf.for %row = %c0 to %c3 step %c1 iter_args(%acc = %f) -> (f32) {
      %0 = memref.load %x[%row, %j] : memref<3x64xf32>
      %1 = memref.load %k[%row] : memref<3xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %acc, %2 : f32
      scf.yield %3 : f32
    }
    memref.store %sum, %y[%j] : memref<64xf32>
  } {halo.parallel}
  return
}

// -----

// Lanes whose loops are of different lengths, or carry an index, are left to LLVM. So is a
// loop around one that becomes vectors itself.

// CHECK-LABEL: func.func @inner_loops_that_differ
//       CHECK:   scf.for %{{.*}} = %c0 to %c64 step %c1
//       CHECK:     scf.for %{{.*}} = %c0 to %{{.*}} step %c1
//   CHECK-NOT:   vector.
//       CHECK:   scf.for %{{.*}} = %c0 to %c64 step %c1
//       CHECK:     scf.for %{{.*}} = %c0 to %c64 step %c1 iter_args
//   CHECK-NOT:   vector.
//       CHECK:   scf.for %{{.*}} = %c0 to %c64 step %c1
//       CHECK:     scf.for %{{.*}} = %c0 to %c64 step %c32
//       CHECK:       vector.load
func.func @inner_loops_that_differ(%x: memref<64x64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c1 {
    scf.for %row = %c0 to %j step %c1 {
      %0 = memref.load %x[%row, %j] : memref<64x64xf32>
      memref.store %0, %y[%j] : memref<64xf32>
    }
  } {halo.parallel}
  scf.for %j = %c0 to %c64 step %c1 {
    %last = scf.for %row = %c0 to %c64 step %c1 iter_args(%at = %j) -> (index) {
      %0 = memref.load %x[%row, %j] : memref<64x64xf32>
      memref.store %0, %y[%j] : memref<64xf32>
      scf.yield %at : index
    }
    %1 = memref.load %y[%last] : memref<64xf32>
    memref.store %1, %y[%j] : memref<64xf32>
  } {halo.parallel}
  scf.for %j = %c0 to %c64 step %c1 {
    scf.for %row = %c0 to %c64 step %c1 {
      %0 = memref.load %x[%j, %row] : memref<64x64xf32>
      memref.store %0, %y[%row] : memref<64xf32>
    } {halo.parallel}
  } {halo.parallel}
  return
}

// -----

// What is left to LLVM: loops that do not say that their iterations are independent, sums in
// their order, elements that are apart, indices that are numbers, and ops that processors have on
// scalars alone.

// CHECK-LABEL: func.func @left
//   CHECK-NOT:   vector.
func.func @left(%x: memref<64x64xf32>, %y: memref<64xi32>, %i: index, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %j = %c0 to %c64 step %c1 {
    %0 = memref.load %x[%i, %j] : memref<64x64xf32>
    memref.store %0, %x[%c0, %j] : memref<64x64xf32>
  }
  %sum = scf.for %j = %c0 to %c64 step %c1 iter_args(%acc = %init) -> (f32) {
    %0 = memref.load %x[%i, %j] : memref<64x64xf32>
    %1 = arith.addf %acc, %0 : f32
    scf.yield %1 : f32
  } {halo.parallel}
  scf.for %j = %c0 to %c64 step %c1 {
    %0 = memref.load %x[%j, %i] : memref<64x64xf32>
    memref.store %0, %x[%i, %j] : memref<64x64xf32>
  } {halo.parallel}
  scf.for %j = %c0 to %c64 step %c1 {
    %0 = arith.index_cast %j : index to i32
    memref.store %0, %y[%j] : memref<64xi32>
  } {halo.parallel}
  scf.for %j = %c0 to %c64 step %c1 {
    %0 = memref.load %y[%j] : memref<64xi32>
    %1 = arith.divsi %0, %0 : i32
    memref.store %1, %y[%j] : memref<64xi32>
  } {halo.parallel}
  return %sum : f32
}

// -----

// Iterations that do not read what they write may run again, so that none are left over: the last
// vector has some of those before it. Vectors of 16 run two again here, longer ones more.

// CHECK-LABEL: func.func @again
//  CHECK-SAME:   (%[[X:[^:]*]]: memref<64x30xf32>, %[[Y:[^:]*]]: memref<64x30xf32> {llvm.noalias}
//       CHECK:   scf.for %[[J:.*]] = %c0 to %c30 step %c16 {
//       CHECK:     %[[AT:.*]] = arith.minsi %[[J]], %c14
//       CHECK:     %[[A:.*]] = vector.load %[[X]][%{{.*}}, %[[AT]]] : memref<64x30xf32>, vector<16xf32>
//       CHECK:     %[[B:.*]] = arith.mulf %[[A]], %[[A]] : vector<16xf32>
//       CHECK:     vector.store %[[B]], %[[Y]][%{{.*}}, %[[AT]]]
//   CHECK-NOT:   scf.for
//       CHECK:   return
func.func @again(%x: memref<64x30xf32>, %y: memref<64x30xf32> {llvm.noalias}, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  scf.for %j = %c0 to %c30 step %c1 {
    %0 = memref.load %x[%i, %j] : memref<64x30xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %y[%i, %j] : memref<64x30xf32>
  } {halo.parallel}
  return
}

// -----

// A product in place would be squared twice, and so would one whose buffers may overlap. Shorter
// vectors compute the iterations that are left over.

// CHECK-LABEL: func.func @in_place
//       CHECK:   scf.for %{{.*}} = %c0 to %c16{{.*}} step %c16{{.*}} {
//       CHECK:     vector.load %{{.*}} : memref<30xf32>, vector<16xf32>
//       CHECK:   vector.load %{{.*}}[%c16{{.*}}] : memref<30xf32>, vector<8xf32>
//       CHECK:   vector.load %{{.*}}[%c24{{.*}}] : memref<30xf32>, vector<4xf32>
//       CHECK:   vector.load %{{.*}}[%c28{{.*}}] : memref<30xf32>, vector<2xf32>
//   CHECK-NOT:   halo.remainder
//       CHECK:   return
func.func @in_place(%x: memref<30xf32> {llvm.noalias}, %y: memref<30xf32>, %z: memref<30xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  scf.for %j = %c0 to %c30 step %c1 {
    %0 = memref.load %x[%j] : memref<30xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %x[%j] : memref<30xf32>
  } {halo.parallel}
  scf.for %j = %c0 to %c30 step %c1 {
    %0 = memref.load %y[%j] : memref<30xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %z[%j] : memref<30xf32>
  } {halo.parallel}
  return
}

// -----

// A loop that is shorter than a register has a part of one; both vectors of four are within its
// five iterations.

// CHECK-LABEL: func.func @short
//  CHECK-SAME:   (%[[X:[a-z0-9]*]]: memref<64x5xf32>
//       CHECK:   scf.for %[[J:.*]] = %c0 to %c5 step %c4{{.*}} {
//       CHECK:     %[[AT:.*]] = arith.minsi %[[J]], %{{.*}} : index
//       CHECK:     vector.load %[[X]][%{{.*}}, %[[AT]]] : memref<64x5xf32>, vector<4xf32>
//   CHECK-NOT:   halo.remainder
//       CHECK:   return

// WIDE-LABEL: func.func @short
//       WIDE:     vector.load {{.*}} vector<4xf32>
func.func @short(%x: memref<64x5xf32>, %y: memref<64x5xf32> {llvm.noalias}, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %j = %c0 to %c5 step %c1 {
    %0 = memref.load %x[%i, %j] : memref<64x5xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %y[%i, %j] : memref<64x5xf32>
  } {halo.parallel}
  return
}

// -----

// Nothing is a vector in loops of one iteration, or of none.

// CHECK-LABEL: func.func @single
//   CHECK-NOT:   vector.
//       CHECK:   return
func.func @single(%x: memref<8xf32>, %y: memref<8xf32> {llvm.noalias}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %j = %c1 to %c2 step %c1 {
    %0 = memref.load %x[%j] : memref<8xf32>
    memref.store %0, %y[%j] : memref<8xf32>
  } {halo.parallel}
  scf.for %j = %c2 to %c1 step %c1 {
    %0 = memref.load %x[%j] : memref<8xf32>
    memref.store %0, %y[%j] : memref<8xf32>
  } {halo.parallel}
  return
}

// -----

// LLVM vectorizes a loop over points, rather than this pass the loops over their coordinates.

// CHECK-LABEL: func.func @points
//       CHECK:   scf.for %[[I:.*]] = %c0 to %c1000 step %c1 {
//       CHECK:     memref.load %{{.*}}[%[[I]], %c0{{.*}}]
//       CHECK:     memref.load %{{.*}}[%[[I]], %c1{{.*}}]
//       CHECK:     memref.load %{{.*}}[%[[I]], %c2{{.*}}]
//   CHECK-NOT:     memref.load
//       CHECK:     memref.store %{{.*}}[%[[I]]]
func.func @points(%x: memref<1000x3xf32>, %y: memref<1000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c1000 = arith.constant 1000 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c1000 step %c1 {
    %sum = scf.for %j = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f32) {
      %0 = memref.load %x[%i, %j] : memref<1000x3xf32>
      %1 = arith.addf %acc, %0 fastmath<reassoc> : f32
      scf.yield %1 : f32
    } {halo.parallel}
    memref.store %sum, %y[%i] : memref<1000xf32>
  }
  return
}

// -----

// Each row of unknown length has a remainder, of which shorter vectors compute the most.

// CHECK-LABEL: func.func @rows
//       CHECK:   scf.for %[[I:.*]] =
//       CHECK:     scf.for %{{.*}} step %c32
//       CHECK:       vector.store %{{.*}} vector<32xf32>
//       CHECK:     scf.for %{{.*}} step %c8
//       CHECK:       vector.store %{{.*}} vector<8xf32>
//       CHECK:     scf.for %{{.*}} step %c2
//       CHECK:       vector.store %{{.*}} vector<2xf32>
//       CHECK:     scf.for %{{.*}} step %c1
//       CHECK:       memref.store
//       CHECK:     } {halo.remainder}
func.func @rows(%x: memref<?x96xf32>, %y: memref<?x96xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %0 = memref.load %x[%i, %j] : memref<?x96xf32>
      %1 = arith.negf %0 : f32
      memref.store %1, %y[%i, %j] : memref<?x96xf32>
    } {halo.parallel}
  } {halo.parallel}
  return
}

// -----

// The lanes of a sum are joined after the vectors of each length.

// CHECK-LABEL: func.func @sums
//       CHECK:     scf.for %{{.*}} step %c32{{.*}} -> (vector<32xf32>)
//       CHECK:     scf.for %{{.*}} step %c8{{.*}} -> (vector<8xf32>)
//   CHECK-NOT:     vector<2xf32>)
//       CHECK:     scf.for %{{.*}} -> (f32)
func.func @sums(%x: memref<?x96xf32>, %y: memref<?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %0 = memref.load %x[%i, %j] : memref<?x96xf32>
      %1 = arith.addf %acc, %0 fastmath<reassoc> : f32
      scf.yield %1 : f32
    } {halo.parallel}
    memref.store %sum, %y[%i] : memref<?xf32>
  } {halo.parallel}
  return
}
