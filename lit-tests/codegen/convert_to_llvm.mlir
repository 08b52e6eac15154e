// RUN: halo-opt %s --halo-convert-to-llvm --canonicalize="region-simplify=disabled" --cse | FileCheck %s

// A function takes a pointer for each buffer.

// CHECK-LABEL: llvm.func @first(%{{.*}}: !llvm.ptr) -> f32
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr -> f32
//   CHECK-NOT:   unrealized_conversion_cast
//       CHECK:   llvm.return
func.func @first(%x: memref<4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %0 = memref.load %x[%zero] : memref<4xf32>
  return %0 : f32
}

// Loops that carry values are blocks with arguments; a loop of two dimensions is two.

// CHECK-LABEL: llvm.func @sum
//       CHECK:   llvm.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : i64, f32)
//       CHECK: ^[[HEAD]](%{{.*}}: i64, %{{.*}}: f32):
//       CHECK:   llvm.cond_br
//       CHECK:   llvm.fadd
//   CHECK-NOT: scf.
func.func @sum(%x: memref<8xf32>, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%so_far = %zero) -> (f32) {
    %0 = memref.load %x[%i] : memref<8xf32>
    %1 = arith.addf %so_far, %0 : f32
    scf.yield %1 : f32
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    memref.store %sum, %y[%i, %j] : memref<4x4xf32>
    scf.reduce
  }
  return %sum : f32
}

// Views are addresses.

// CHECK-LABEL: llvm.func @views
//       CHECK:   llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
//   CHECK-NOT:   memref.
//   CHECK-NOT:   affine.
//       CHECK:   llvm.return
func.func @views(%x: memref<64xf32>, %i: index) -> vector<4xf32> {
  %rows = memref.expand_shape %x [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %row = memref.subview %rows[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %c2 = arith.constant 2 : index
  %0 = vector.load %row[%c2] : memref<8xf32, strided<[1], offset: ?>>, vector<4xf32>
  return %0 : vector<4xf32>
}

// Elements that are a constant apart have an address in common.

// CHECK-LABEL: llvm.func @neighbours
//  CHECK-SAME:   %[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64, %[[J:.*]]: i64
//       CHECK:   %[[ROW:.*]] = llvm.mul %[[I]], %{{.*}} : i64
//       CHECK:   %[[VARYING:.*]] = llvm.add %[[ROW]], %[[J]] : i64
//       CHECK:   %[[ADDRESS:.*]] = llvm.getelementptr %[[X]][%[[VARYING]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   llvm.load %[[ADDRESS]] {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
//       CHECK:   %[[OTHER:.*]] = llvm.getelementptr %[[ADDRESS]][36] : (!llvm.ptr) -> !llvm.ptr, f32
//       CHECK:   llvm.store %{{.*}}, %[[OTHER]] {alignment = 64 : i64, nontemporal} : vector<4xf32>, !llvm.ptr
//       CHECK:   llvm.return
func.func @neighbours(%x: memref<8x16xf32>, %i: index, %j: index) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %below = arith.addi %i, %c2 : index
  %behind = arith.addi %j, %c4 : index
  %0 = vector.load %x[%i, %j] : memref<8x16xf32>, vector<4xf32>
  vector.store %0, %x[%below, %behind] {alignment = 64 : i64, nontemporal = true} : memref<8x16xf32>, vector<4xf32>
  return
}

// What is known of a scalar's address stays: constant indices are inside of the buffer, the
// loop's own index has its constant, and only the address of an index of the loop around it
// may be outside.

// CHECK-LABEL: llvm.func @scalars
//  CHECK-SAME:   %[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64
//       CHECK:   ^{{.*}}(%[[J:.*]]: i64):
//       CHECK:   %[[NEXT:.*]] = llvm.add %[[J]], %{{.*}} : i64
//       CHECK:   %[[AT:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[J]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   %[[FIRST:.*]] = llvm.getelementptr inbounds|nuw %[[AT]][32] : (!llvm.ptr) -> !llvm.ptr, f32
//       CHECK:   llvm.load %[[FIRST]] : !llvm.ptr -> f32
//       CHECK:   %[[OWN:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[NEXT]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   llvm.load %[[OWN]] : !llvm.ptr -> f32
//       CHECK:   %[[VARYING:.*]] = llvm.add %{{.*}}, %[[J]] : i64
//       CHECK:   %[[ADDRESS:.*]] = llvm.getelementptr %[[X]][%[[VARYING]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   %[[ABOVE:.*]] = llvm.getelementptr %[[ADDRESS]][-16] : (!llvm.ptr) -> !llvm.ptr, f32
//       CHECK:   llvm.store %{{.*}}, %[[ABOVE]] : f32, !llvm.ptr
//       CHECK:   llvm.return
func.func @scalars(%x: memref<8x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c15 = arith.constant 15 : index
  %before = arith.constant -1 : index
  %above = arith.addi %i, %before : index
  scf.for %j = %c0 to %c15 step %c1 {
    %next = arith.addi %j, %c1 : index
    %0 = memref.load %x[%c2, %j] : memref<8x16xf32>
    %1 = memref.load %x[%c0, %next] : memref<8x16xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %x[%above, %j] : memref<8x16xf32>
  }
  return
}

// Vectors of two dimensions become those of one, and masks are constants.

// CHECK-LABEL: llvm.func @vectors
//   CHECK-NOT:   vector.
//       CHECK:   llvm.intr.masked.store
//       CHECK:   llvm.return
func.func @vectors(%x: vector<2x4xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %flat = vector.shape_cast %x : vector<2x4xf32> to vector<8xf32>
  %mask = vector.constant_mask [3] : vector<8xi1>
  vector.maskedstore %y[%c0], %mask, %flat : memref<8xf32>, vector<8xi1>, vector<8xf32>
  return
}

// So do those that are made of elements.

// CHECK-LABEL: llvm.func @elements
//   CHECK-NOT:   vector.
//       CHECK:   llvm.insertvalue %{{.*}}[0] : !llvm.array<2 x vector<2xf32>>
//   CHECK-NOT:   vector.
//       CHECK:   llvm.return
func.func @elements(%a: f32, %b: f32) -> vector<2x2xf32> {
  %0 = vector.from_elements %a, %b, %b, %a : vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// What few programs have.

// CHECK-LABEL: llvm.func @rare
//       CHECK:   llvm.call @erff
//   CHECK-NOT:   linalg.
//       CHECK:   llvm.return
func.func @rare(%z: complex<f32>, %y: f32, %x: memref<4xf32>) -> f32 {
  linalg.fill ins(%y : f32) outs(%x : memref<4xf32>)
  %angle = complex.angle %z : complex<f32>
  %0 = math.erf %angle : f32
  return %0 : f32
}
