// RUN: halo-opt %s --split-input-file --halo-nontemporal-stores | FileCheck %s

// The rows of a large result go through the stack, in lines of the cache.

// CHECK-LABEL: func.func @rows
//       CHECK:   scf.parallel (%[[I:.*]]) =
//       CHECK:     %[[ROW:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
//       CHECK:     scf.for %[[J:.*]] =
//       CHECK:       %[[X:.*]] = memref.load %arg0[%[[I]], %[[J]]]
//       CHECK:       memref.store %[[X]], %[[ROW]][%[[J]]] : memref<1024xf32>
//       CHECK:     scf.for %[[J:.*]] = %c0{{.*}} to %c1024{{.*}} step %c16
//       CHECK:       %[[LINE:.*]] = vector.load %[[ROW]][%[[J]]] : memref<1024xf32>, vector<16xf32>
//       CHECK:       vector.store %[[LINE]], %arg1[%[[I]], %[[J]]] {alignment = 64 : i64, nontemporal = true}
func.func @rows(%a: memref<4096x1024xf32>, %b: memref<4096x1024xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
    scf.for %j = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i, %j] : memref<4096x1024xf32>
      memref.store %x, %b[%i, %j] : memref<4096x1024xf32>
    }
    scf.reduce
  }
  return
}

// -----

// Pieces of a row begin at lines as well, and so do rows of a view.

// CHECK-LABEL: func.func @pieces
//       CHECK:   %[[START:.*]] = arith.muli
//       CHECK:   scf.for %[[J:.*]] = %[[START]] to
//       CHECK:     %[[AT:.*]] = arith.subi %[[J]], %[[START]]
//       CHECK:     memref.store %{{.*}}, %{{.*}}[%[[AT]]] : memref<1024xi16>
//       CHECK:   scf.for %[[J:.*]] =
//       CHECK:     %[[AT:.*]] = arith.addi %[[START]], %[[J]]
//       CHECK:     vector.store %{{.*}}, %{{.*}}[%c0{{.*}}, %[[AT]]] {alignment = 64 : i64, nontemporal = true} : {{.*}}, vector<32xi16>
func.func @pieces(%x: i16, %k: index, %b: memref<16x1048576xi16>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  scf.parallel (%i) = (%c0) to (%c512) step (%c1) {
    %row = memref.subview %b[%k, 128] [1, 524288] [1, 1] : memref<16x1048576xi16> to memref<1x524288xi16, strided<[1048576, 1], offset: ?>>
    %start = arith.muli %i, %c1024 : index
    %end = arith.addi %start, %c1024 : index
    scf.for %j = %start to %end step %c1 {
      memref.store %x, %row[%c0, %j] : memref<1x524288xi16, strided<[1048576, 1], offset: ?>>
    }
    scf.reduce
  }
  return
}

// -----

// The last piece is shorter.

// CHECK-LABEL: func.func @shorter_piece
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @shorter_piece(%x: f32, %b: memref<4260096xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1041 = arith.constant 1041 : index
  %c4096 = arith.constant 4096 : index
  %size = arith.constant 4260096 : index
  scf.parallel (%i) = (%c0) to (%c1041) step (%c1) {
    %start = arith.muli %i, %c4096 : index
    %next = arith.addi %start, %c4096 : index
    %end = arith.minsi %next, %size : index
    scf.for %j = %start to %end step %c1 {
      memref.store %x, %b[%j] : memref<4260096xf32>
    }
    scf.reduce
  }
  return
}

// -----

// Left as they are: what is read again, what fits into the cache, what begins within a
// line, and what no entry returns.

// CHECK-LABEL: func.func @others
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @others(%x: f32, %read: memref<4096x1024xf32>, %small: memref<1024x1024xf32>, %odd: memref<4096x1028xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.parallel (%i) = (%c0) to (%c1024) step (%c1) {
    scf.for %j = %c0 to %c1024 step %c1 {
      memref.store %x, %read[%i, %j] : memref<4096x1024xf32>
    }
    scf.for %j = %c0 to %c1024 step %c1 {
      memref.store %x, %small[%i, %j] : memref<1024x1024xf32>
    }
    scf.for %j = %c0 to %c1024 step %c1 {
      memref.store %x, %odd[%i, %j] : memref<4096x1028xf32>
    }
    scf.reduce
  }
  %0 = memref.load %read[%c0, %c0] : memref<4096x1024xf32>
  memref.store %0, %small[%c0, %c0] : memref<1024x1024xf32>
  return
}

// CHECK-LABEL: func.func @no_entry
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @no_entry(%x: f32, %b: memref<4096x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
    scf.for %j = %c0 to %c1024 step %c1 {
      memref.store %x, %b[%i, %j] : memref<4096x1024xf32>
    }
    scf.reduce
  }
  return
}

// -----

// A loop that computes for longer than its bytes take stores to the caches.

// CHECK-LABEL: func.func @computes
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @computes(%a: memref<4096x1024xf32>, %b: memref<4096x1024xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
    scf.for %j = %c0 to %c1024 step %c1 {
      %x = memref.load %a[%i, %j] : memref<4096x1024xf32>
      %0 = math.tanh %x : f32
      %1 = math.exp %0 : f32
      memref.store %1, %b[%i, %j] : memref<4096x1024xf32>
    }
    scf.reduce
  }
  return
}
