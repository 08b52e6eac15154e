// RUN: halo-opt %s --halo-convert-to-llvm --cse | FileCheck %s

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

// Where the element at an address is accessed, others are a constant apart from it.

// CHECK-LABEL: llvm.func @apart
//  CHECK-SAME:   %[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64
//       CHECK:   %[[ROW:.*]] = llvm.mul %[[I]], %{{.*}} overflow<nsw, nuw> : i64
//       CHECK:   %[[VARYING:.*]] = llvm.add %[[ROW]], %{{.*}} overflow<nsw, nuw> : i64
//       CHECK:   %[[FIRST:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[VARYING]]]
//       CHECK:   llvm.load %[[FIRST]] : !llvm.ptr -> f32
//   CHECK-NOT:   llvm.mul
//       CHECK:   %[[SECOND:.*]] = llvm.getelementptr %[[FIRST]][32]
//       CHECK:   llvm.store %{{.*}}, %[[SECOND]] : f32, !llvm.ptr
func.func @apart(%x: memref<8x16xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %below = arith.addi %i, %c2 : index
  scf.for %j = %c0 to %c16 step %c1 {
    %0 = memref.load %x[%i, %j] : memref<8x16xf32>
    memref.store %0, %x[%below, %j] : memref<8x16xf32>
  }
  return
}

// A loop that has an iteration for certain compares behind its body alone.

// CHECK-LABEL: llvm.func @constant_bounds
//       CHECK:   llvm.br ^[[BODY:.*]](%{{.*}}, %{{.*}} : i64, f32)
//  CHECK-NEXT: ^[[BODY]](%[[I:.*]]: i64, %[[SUM:.*]]: f32):
//       CHECK:   %[[ADDED:.*]] = llvm.fadd %[[SUM]]
//       CHECK:   %[[NEXT:.*]] = llvm.add %[[I]]
//       CHECK:   %[[MORE:.*]] = llvm.icmp "slt" %[[NEXT]]
//  CHECK-NEXT:   llvm.cond_br %[[MORE]], ^[[BODY]](%[[NEXT]], %[[ADDED]] : i64, f32), ^[[END:.*]]
//  CHECK-NEXT: ^[[END]]:
//       CHECK:   llvm.store %[[ADDED]]
func.func @constant_bounds(%x: memref<64xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%so_far = %zero) -> (f32) {
    %0 = memref.load %x[%i] : memref<64xf32>
    %1 = arith.addf %so_far, %0 : f32
    scf.yield %1 : f32
  }
  memref.store %sum, %y[%c0] : memref<1xf32>
  return
}

// So does one over a range of a constant length, if its end does not overflow.

// CHECK-LABEL: llvm.func @constant_length
//       CHECK:   llvm.br ^[[BODY:.*]](%{{.*}} : i64)
//  CHECK-NEXT: ^[[BODY]](%{{.*}}: i64):
//       CHECK:   llvm.store
//       CHECK:   llvm.cond_br %{{.*}}, ^[[BODY]](
//       CHECK:   llvm.br ^[[COMPARING:.*]](%{{.*}} : i64)
//  CHECK-NEXT: ^[[COMPARING]](%{{.*}}: i64):
//  CHECK-NEXT:   llvm.icmp "slt"
//  CHECK-NEXT:   llvm.cond_br
//       CHECK:   llvm.store
//       CHECK:   llvm.br ^[[COMPARING]](
func.func @constant_length(%x: memref<64xf32>, %from: index, %value: f32) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %end = arith.addi %from, %c8 overflow<nsw> : index
  scf.for %i = %from to %end step %c1 {
    memref.store %value, %x[%i] : memref<64xf32>
  }
  %wrapping = arith.addi %from, %c8 : index
  scf.for %i = %from to %wrapping step %c1 {
    memref.store %value, %x[%i] : memref<64xf32>
  }
  return
}

// No iteration is made up: the bounds are equal, or as unsigned numbers the other way round.

// CHECK-LABEL: llvm.func @no_iteration
//       CHECK:   llvm.br ^[[FIRST:.*]](%{{.*}} : i64)
//  CHECK-NEXT: ^[[FIRST]](%{{.*}}: i64):
//  CHECK-NEXT:   llvm.icmp "slt"
//       CHECK: ^{{.*}}(%{{.*}}: i64):
//  CHECK-NEXT:   llvm.icmp "ult"
func.func @no_iteration(%x: memref<64xf32>, %value: f32) {
  %negative = arith.constant -1 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c8 to %c8 step %c1 {
    memref.store %value, %x[%i] : memref<64xf32>
  }
  scf.for unsigned %i = %negative to %c8 step %c1 {
    memref.store %value, %x[%i] : memref<64xf32>
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

// A function that returns nothing, as kernels do, is written anew op by op. Flags stay, and an
// index is a number of 64 bits.

// CHECK-LABEL: llvm.func @numbers
//  CHECK-SAME:   (%[[X:.*]]: !llvm.ptr {llvm.noalias}, %[[Y:.*]]: !llvm.ptr, %[[I:.*]]: i64, %[[N:.*]]: i32)
//  CHECK-SAME:   attributes {halo.kernel, sym_visibility = "private"}
//   CHECK-DAG:   %[[ROW:.*]] = llvm.mul %[[I]], %{{.*}} overflow<nsw> : i64
//   CHECK-DAG:   %[[WIDE:.*]] = llvm.sext %[[N]] : i32 to i64
//   CHECK-DAG:   %[[UNSIGNED:.*]] = llvm.zext %[[N]] : i32 to i64
//       CHECK:   %[[LESS:.*]] = llvm.icmp "ult" %[[WIDE]], %[[UNSIGNED]] : i64
//       CHECK:   %[[MOST:.*]] = llvm.intr.umax(%[[ROW]], %[[WIDE]]) : (i64, i64) -> i64
//       CHECK:   %[[CHOSEN:.*]] = llvm.select %[[LESS]], %[[MOST]], %[[UNSIGNED]] : i1, i64
//       CHECK:   %[[SHORT:.*]] = llvm.trunc %[[CHOSEN]] : i64 to i32
//       CHECK:   %[[FLOAT:.*]] = llvm.sitofp %[[SHORT]] : i32 to f32
//       CHECK:   %[[PRODUCT:.*]] = llvm.fmul %[[FLOAT]], %[[FLOAT]] {fastmathFlags = #llvm.fastmath<reassoc>} : f32
//       CHECK:   %[[ROOT:.*]] = llvm.intr.sqrt(%[[PRODUCT]]) : (f32) -> f32
//       CHECK:   %[[IS:.*]] = llvm.fcmp "ogt" %[[ROOT]], %[[FLOAT]] {fastmathFlags = #llvm.fastmath<nnan>} : f32
//       CHECK:   %[[EITHER:.*]] = llvm.select %[[IS]], %[[ROOT]], %[[FLOAT]] : i1, f32
//       CHECK:   %[[FIRST:.*]] = llvm.insertelement %[[EITHER]], %{{.*}} : vector<4xf32>
//       CHECK:   %[[ALL:.*]] = llvm.shufflevector %[[FIRST]], %{{.*}} [0, 0, 0, 0] : vector<4xf32>
//       CHECK:   %[[FMA:.*]] = llvm.intr.fmuladd(%[[ALL]], %[[ALL]], %[[ALL]]) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
//       CHECK:   %[[LANE:.*]] = llvm.extractelement %[[FMA]]
//       CHECK:   %[[WITH:.*]] = llvm.insertelement %[[LANE]], %[[FMA]]
//       CHECK:   %[[MIXED:.*]] = llvm.shufflevector %[[WITH]], %[[ALL]] [1, 4, 2, 3] : vector<4xf32>
//       CHECK:   %[[BITS:.*]] = llvm.bitcast %[[MIXED]] : vector<4xf32> to vector<4xi32>
//       CHECK:   llvm.store %[[BITS]], %[[Y]] {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr
//       CHECK:   llvm.return
func.func private @numbers(%x: memref<8x16xf32> {llvm.noalias}, %y: memref<16xi32>, %i: index, %n: i32)
    attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %row = arith.muli %i, %c16 overflow<nsw> : index
  %wide = arith.index_cast %n : i32 to index
  %unsigned = arith.index_castui %n : i32 to index
  %less = arith.cmpi ult, %wide, %unsigned : index
  %most = arith.maxui %row, %wide : index
  %chosen = arith.select %less, %most, %unsigned : index
  %short = arith.index_cast %chosen : index to i32
  %float = arith.sitofp %short : i32 to f32
  %product = arith.mulf %float, %float fastmath<reassoc> : f32
  %root = math.sqrt %product : f32
  %is = arith.cmpf ogt, %root, %float fastmath<nnan> : f32
  %either = arith.select %is, %root, %float : f32
  %all = vector.broadcast %either : f32 to vector<4xf32>
  %fma = vector.fma %all, %all, %all : vector<4xf32>
  %lane = vector.extract %fma[1] : f32 from vector<4xf32>
  %with = vector.insert %lane, %fma [2] : f32 into vector<4xf32>
  %mixed = vector.shuffle %with, %all [1, 4, 2, 3] : vector<4xf32>, vector<4xf32>
  %bits = arith.bitcast %mixed : vector<4xf32> to vector<4xi32>
  vector.store %bits, %y[%c0] : memref<16xi32>, vector<4xi32>
  return
}

// Blocks for loops and branches, in the order of the program.

// CHECK-LABEL: llvm.func @blocks
//  CHECK-SAME:   (%[[X:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[IS:.*]]: i1)
//       CHECK:   llvm.br ^[[HEAD:.*]](%{{.*}}, %{{.*}} : i64, f32)
//       CHECK: ^[[HEAD]](%[[I:.*]]: i64, %[[SUM:.*]]: f32):
//       CHECK:   %[[GOES_ON:.*]] = llvm.icmp "ult" %[[I]], %[[N]] : i64
//       CHECK:   llvm.cond_br %[[GOES_ON]], ^[[BODY:.*]], ^[[END:.*]]
//       CHECK: ^[[BODY]]:
//       CHECK:   llvm.cond_br %[[IS]], ^[[THEN:.*]], ^[[ELSE:.*]]
//       CHECK: ^[[THEN]]:
//       CHECK:   %[[LOADED:.*]] = llvm.load
//       CHECK:   llvm.br ^[[NEXT:.*]](%[[LOADED]] : f32)
//       CHECK: ^[[ELSE]]:
//       CHECK:   llvm.br ^[[NEXT]](%[[SUM]] : f32)
//       CHECK: ^[[NEXT]](%[[VALUE:.*]]: f32):
//       CHECK:   llvm.cond_br %[[IS]], ^[[WITHOUT:.*]], ^[[BEHIND:.*]]
//       CHECK: ^[[WITHOUT]]:
//       CHECK:   llvm.store
//       CHECK:   llvm.br ^[[BEHIND]]
//       CHECK: ^[[BEHIND]]:
//       CHECK:   %[[STEP:.*]] = llvm.add %[[I]], %{{.*}} : i64
//       CHECK:   llvm.br ^[[HEAD]](%[[STEP]], %[[VALUE]] : i64, f32)
//       CHECK: ^[[END]]:
//       CHECK:   llvm.br ^[[BEFORE:.*]](%[[N]] : i64)
//       CHECK: ^[[BEFORE]](%[[LEFT:.*]]: i64):
//       CHECK:   %[[HALF:.*]] = llvm.udiv %[[LEFT]]
//       CHECK:   %[[MORE:.*]] = llvm.icmp "ne" %[[HALF]]
//       CHECK:   llvm.cond_br %[[MORE]], ^[[AFTER:.*]](%[[HALF]], %[[SUM]] : i64, f32), ^[[LAST:.*]]
//       CHECK: ^[[AFTER]](%[[REST:.*]]: i64, %{{.*}}: f32):
//       CHECK:   llvm.br ^[[BEFORE]](%[[REST]] : i64)
//       CHECK: ^[[LAST]]:
//       CHECK:   llvm.getelementptr inbounds|nuw %[[X]][%[[HALF]]]
//       CHECK:   llvm.store %[[SUM]]
//       CHECK:   llvm.return
func.func @blocks(%x: memref<64xf32>, %n: index, %is: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%so_far = %zero) -> (f32) {
    %value = scf.if %is -> (f32) {
      %0 = memref.load %x[%i] : memref<64xf32>
      scf.yield %0 : f32
    } else {
      scf.yield %so_far : f32
    }
    scf.if %is {
      memref.store %value, %x[%i] : memref<64xf32>
    }
    scf.yield %value : f32
  }
  %end:2 = scf.while (%left = %n) : (index) -> (index, f32) {
    %half = arith.divui %left, %c2 : index
    %more = arith.cmpi ne, %half, %c0 : index
    scf.condition(%more) %half, %sum : index, f32
  } do {
  ^bb0(%rest: index, %unread: f32):
    scf.yield %rest : index
  }
  memref.store %end#1, %x[%end#0] : memref<64xf32>
  return
}

// The fixed part of a view is in the layout of its type, so that it is the same pointer. A copy
// of whole buffers is one of bytes.

// CHECK-LABEL: llvm.func @fixed_views
//  CHECK-SAME:   (%[[BYTES:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64)
//   CHECK-DAG:   %[[SIZE:.*]] = llvm.mlir.constant(256 : index) : i64
//   CHECK-DAG:   %[[COUNT:.*]] = llvm.mlir.constant(64 : index) : i64
//   CHECK-DAG:   %[[GLOBAL:.*]] = llvm.mlir.addressof @constant : !llvm.ptr
//       CHECK:   %[[VIEW:.*]] = llvm.getelementptr %[[BYTES]][128] : (!llvm.ptr) -> !llvm.ptr, i8
//       CHECK:   "llvm.intr.memcpy"(%[[X]], %[[VIEW]], %[[SIZE]])
//       CHECK:   "llvm.intr.memcpy"(%[[X]], %[[GLOBAL]], %[[SIZE]])
//       CHECK:   %[[LOCAL:.*]] = llvm.alloca %[[COUNT]] x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
//       CHECK:   %[[ELEMENT:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[I]]]
//       CHECK:   %[[SECOND:.*]] = llvm.getelementptr inbounds|nuw %[[ELEMENT]][18]
//       CHECK:   llvm.load %[[SECOND]] : !llvm.ptr -> f32
//       CHECK:   %[[STORED:.*]] = llvm.getelementptr inbounds|nuw %[[LOCAL]][%[[I]]]
//       CHECK:   llvm.store %{{.*}}, %[[STORED]]
//       CHECK:   "llvm.intr.prefetch"(%[[STORED]]) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}>
//   CHECK-NOT:   memref.
//       CHECK:   llvm.return
memref.global "private" constant @constant : memref<64xf32> = dense<1.0>
func.func @fixed_views(%bytes: memref<384xi8>, %x: memref<64xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %view = memref.view %bytes[%c128][] : memref<384xi8> to memref<8x8xf32>
  %line = memref.collapse_shape %view [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  memref.copy %line, %x : memref<64xf32> to memref<64xf32>
  %global = memref.get_global @constant : memref<64xf32>
  memref.copy %global, %x : memref<64xf32> to memref<64xf32>
  %rows = memref.expand_shape %x [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %part = memref.subview %rows[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  %local = memref.alloca() {alignment = 64 : i64} : memref<64xf32>
  %0 = memref.load %part[%c0, %i] : memref<4x4xf32, strided<[8, 1], offset: 18>>
  memref.store %0, %local[%i] : memref<64xf32>
  memref.prefetch %local[%i], write, locality<3>, data : memref<64xf32>
  return
}

// A view whose offset its type does not have is a pointer to its first element.

// CHECK-LABEL: llvm.func @rows
//  CHECK-SAME:   (%[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64, %[[J:.*]]: i64)
//       CHECK:   %[[LINES:.*]] = llvm.mul %[[I]], %{{.*}} overflow<nsw, nuw> : i64
//       CHECK:   %[[LINE:.*]] = llvm.getelementptr inbounds|nuw %[[X]][%[[LINES]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   %[[ROW:.*]] = llvm.getelementptr inbounds|nuw %[[LINE]][16] : (!llvm.ptr) -> !llvm.ptr, f32
//       CHECK:   %[[PART:.*]] = llvm.getelementptr inbounds|nuw %[[ROW]][%[[J]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   %[[ELEMENT:.*]] = llvm.getelementptr inbounds|nuw %[[PART]][3]
//       CHECK:   llvm.store %{{.*}}, %[[ELEMENT]] : f32, !llvm.ptr
//   CHECK-NOT:   memref.
//       CHECK:   llvm.return
func.func @rows(%x: memref<4x4x8xf32>, %i: index, %j: index) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %row = memref.subview %x[%i, 2, 0] [1, 1, 8] [1, 1, 1] : memref<4x4x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %part = memref.subview %row[%j] [4] [1] : memref<8xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  memref.store %zero, %part[%c3] : memref<4xf32, strided<[1], offset: ?>>
  return
}

// A function may return a number.

// CHECK-LABEL: llvm.func @uses
//       CHECK:   %[[NEXT:.*]] = llvm.call @next(%{{.*}}) : (i64) -> i64
//       CHECK:   llvm.store %[[NEXT]]
// CHECK-LABEL: llvm.func @next(%{{.*}}: i64) -> i64
//       CHECK:   %[[SUM:.*]] = llvm.add
//       CHECK:   llvm.return %[[SUM]] : i64
func.func @uses(%x: memref<1xi64>, %i: index) {
  %c0 = arith.constant 0 : index
  %next = func.call @next(%i) : (index) -> index
  %number = arith.index_cast %next : index to i64
  memref.store %number, %x[%c0] : memref<1xi64>
  return
}
func.func private @next(%i: index) -> index {
  %next = arith.addi %i, %i : index
  return %next : index
}

// Calls of kernels take pointers; those of the runtime are lowered later, and take buffers.

// CHECK-LABEL: llvm.func @calls
//  CHECK-SAME:   (%[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64)
//       CHECK:   %[[BUFFER:.*]] = builtin.unrealized_conversion_cast %[[X]] : !llvm.ptr to memref<64xf32>
//       CHECK:   halo.parallel_call @called from %{{.*}} to %{{.*}} grain 1 captures(%[[BUFFER]] : memref<64xf32>)
//       CHECK:   llvm.call @called(%[[I]], %[[I]], %[[X]]) : (i64, i64, !llvm.ptr) -> ()
//       CHECK:   llvm.return
func.func @calls(%x: memref<64xf32>, %i: index) {
  halo.parallel_call @called from %i to %i grain 1 captures(%x : memref<64xf32>)
  func.call @called(%i, %i, %x) : (index, index, memref<64xf32>) -> ()
  return
}
func.func private @called(%begin: index, %end: index, %x: memref<64xf32>) attributes {halo.kernel} {
  return
}

// What has another form is left to upstream's patterns: a mode of rounding, a quotient that is exact,
// vectors of two dimensions.

// CHECK-LABEL: llvm.func @others
//       CHECK:   llvm.intr.experimental.constrained.fptrunc %{{.*}} tonearest
//       CHECK:   llvm.sdiv exact
//       CHECK:   llvm.fadd %{{.*}} : vector<4xf32>
//       CHECK:   llvm.return
func.func @others(%x: memref<2xf32>, %y: memref<2xi32>, %z: memref<2x4xf32>, %f: f64) {
  %c0 = arith.constant 0 : index
  %0 = arith.truncf %f to_nearest_even : f64 to f32
  memref.store %0, %x[%c0] : memref<2xf32>
  %1 = memref.load %y[%c0] : memref<2xi32>
  %2 = arith.divsi %1, %1 exact : i32
  memref.store %2, %y[%c0] : memref<2xi32>
  %3 = vector.load %z[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %4 = arith.addf %3, %3 : vector<2x4xf32>
  vector.store %4, %z[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  return
}

// Masks and numbers of lanes are vectors, of which a mask whose end is known at run time is
// compared with it. A sum of lanes begins at zero. Ops of the LLVM dialect stay.

// CHECK-LABEL: llvm.func @lanes
//  CHECK-SAME:   (%[[X:.*]]: !llvm.ptr, %[[N:.*]]: i64)
//   CHECK-DAG:   %[[TWO:.*]] = llvm.mlir.constant(dense<[true, true, false, false]> : vector<4xi1>)
//   CHECK-DAG:   %[[NUMBERS:.*]] = llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xi32>)
//   CHECK-DAG:   %[[ZERO:.*]] = llvm.mlir.constant(0.000000e+00 : f32)
//   CHECK-DAG:   %[[STEPS:.*]] = llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xi64>)
//       CHECK:   %[[SOME:.*]] = llvm.intr.masked.load %[[X]], %[[TWO]], %{{.*}} {alignment = 4 : i32}
//       CHECK:   %[[END:.*]] = llvm.intr.smin(%[[N]], %{{.*}}) : (i64, i64) -> i64
//       CHECK:   %[[SHORT:.*]] = llvm.trunc %[[END]] : i64 to i32
//       CHECK:   %[[FIRST:.*]] = llvm.insertelement %[[SHORT]], %{{.*}} : vector<4xi32>
//       CHECK:   %[[ENDS:.*]] = llvm.shufflevector %[[FIRST]], %{{.*}} [0, 0, 0, 0] : vector<4xi32>
//       CHECK:   %[[MASK:.*]] = llvm.icmp "slt" %[[NUMBERS]], %[[ENDS]] : vector<4xi32>
//       CHECK:   llvm.intr.masked.store %[[SOME]], %[[X]], %[[MASK]] {alignment = 4 : i32}
//       CHECK:   llvm.fence syncscope("agent") seq_cst
//       CHECK:   %[[BITS:.*]] = llvm.bitcast %[[SOME]] : vector<4xf32> to vector<16xi8>
//       CHECK:   %[[SUMS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"(%{{.*}}, %[[BITS]], %[[BITS]])
//       CHECK:   %[[WIDE:.*]] = llvm.sitofp %[[STEPS]] : vector<4xi64> to vector<4xf32>
//       CHECK:   %[[SUM:.*]] = "llvm.intr.vector.reduce.fadd"(%[[ZERO]], %[[WIDE]]) <{fastmathFlags = #llvm.fastmath<reassoc>}>
//       CHECK:   "llvm.intr.vector.reduce.fadd"(%[[SUM]], %[[WIDE]]) <{fastmathFlags = #llvm.fastmath<none>}>
func.func @lanes(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %sums = arith.constant dense<0> : vector<4xi32>
  %two = vector.constant_mask [2] : vector<4xi1>
  %some = vector.maskedload %x[%c0], %two, %zeros : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %mask = vector.create_mask %n : vector<4xi1>
  vector.maskedstore %x[%c0], %mask, %some : memref<8xf32>, vector<4xi1>, vector<4xf32>
  llvm.fence syncscope("agent") seq_cst
  %bits = vector.bitcast %some : vector<4xf32> to vector<16xi8>
  %more = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"(%sums, %bits, %bits) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
  %steps = vector.step : vector<4xindex>
  %numbers = arith.index_cast %steps : vector<4xindex> to vector<4xi64>
  %wide = arith.sitofp %numbers : vector<4xi64> to vector<4xf32>
  %sum = vector.reduction <add>, %wide fastmath<reassoc> : vector<4xf32> into f32
  memref.store %sum, %x[%c0] : memref<8xf32>
  %next = vector.reduction <add>, %wide, %sum : vector<4xf32> into f32
  memref.store %next, %x[%c0] : memref<8xf32>
  %integer = vector.bitcast %more : vector<4xi32> to vector<4xf32>
  vector.store %integer, %x[%c0] : memref<8xf32>, vector<4xf32>
  return
}

// Three iterations become one, which is written down late.

// CHECK-LABEL: llvm.func @unrolled
//  CHECK-SAME:   (%[[X:.*]]: !llvm.ptr, %[[Y:.*]]: f32)
//   CHECK-DAG:   %[[STEP:.*]] = llvm.mlir.constant(2 : index) : i64
//   CHECK-DAG:   %[[STEPS:.*]] = llvm.mlir.constant(4 : index) : i64
//   CHECK-DAG:   %[[SIX:.*]] = llvm.mlir.constant(6 : index) : i64
//       CHECK: ^bb1(%[[I:.*]]: i64, %[[SUM:.*]]: f32):
//       CHECK:   llvm.getelementptr inbounds|nuw %[[X]][%[[I]]]
//       CHECK:   %[[ONE:.*]] = llvm.intr.fma(%[[SUM]], %[[Y]], %{{.*}})
//       CHECK:   %[[SECOND:.*]] = llvm.add %[[I]], %[[STEP]]
//       CHECK:   llvm.getelementptr inbounds|nuw %[[X]][%[[SECOND]]]
//       CHECK:   %[[TWO:.*]] = llvm.intr.fma(%[[ONE]], %[[Y]], %{{.*}})
//       CHECK:   %[[THIRD:.*]] = llvm.add %[[I]], %[[STEPS]]
//       CHECK:   llvm.getelementptr inbounds|nuw %[[X]][%[[THIRD]]]
//       CHECK:   %[[THREE:.*]] = llvm.intr.fma(%[[TWO]], %[[Y]], %{{.*}})
//       CHECK:   %[[NEXT:.*]] = llvm.add %[[I]], %[[SIX]]
//       CHECK:   llvm.cond_br %{{.*}}, ^bb1(%[[NEXT]], %[[THREE]] : i64, f32)
//   CHECK-NOT:   halo.unroll
func.func @unrolled(%x: memref<36xf32>, %y: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c36 = arith.constant 36 : index
  %sum = scf.for %i = %c0 to %c36 step %c2 iter_args(%sum = %y) -> (f32) {
    %element = memref.load %x[%i] : memref<36xf32>
    %next = math.fma %sum, %y, %element : f32
    scf.yield %next : f32
  } {halo.unroll = 3 : index}
  memref.store %sum, %x[%c0] : memref<36xf32>
  return
}

// A constant index of an instruction has 29 bits.

// CHECK-LABEL: llvm.func @far
//  CHECK-SAME:   (%[[X:.*]]: !llvm.ptr, %[[I:.*]]: i64)
//   CHECK-DAG:   %[[END:.*]] = llvm.mlir.constant(268435456 : index) : i64
//   CHECK-DAG:   %[[PAST:.*]] = llvm.mlir.constant(4294967296 : index) : i64
//   CHECK-DAG:   %[[BEFORE:.*]] = llvm.mlir.constant(-268435457 : index) : i64
//       CHECK:   llvm.getelementptr inbounds|nuw %[[X]][268435455] : (!llvm.ptr) -> !llvm.ptr, f32
//       CHECK:   llvm.getelementptr inbounds|nuw %[[X]][%[[END]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   llvm.getelementptr inbounds|nuw %[[X]][%[[PAST]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   %[[VARYING:.*]] = llvm.getelementptr %[[X]][%[[I]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//       CHECK:   llvm.getelementptr %[[VARYING]][-268435456] : (!llvm.ptr) -> !llvm.ptr, f32
//       CHECK:   llvm.getelementptr %[[VARYING]][%[[BEFORE]]] : (!llvm.ptr, i64) -> !llvm.ptr, f32
func.func @far(%x: memref<8589934592xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %last = arith.constant 268435455 : index
  %end = arith.constant 268435456 : index
  %least = arith.constant -268435456 : index
  %less = arith.constant -268435457 : index
  %view = memref.subview %x[4294967296] [8] [1] : memref<8589934592xf32> to memref<8xf32, strided<[1], offset: 4294967296>>
  %a = memref.load %x[%last] : memref<8589934592xf32>
  %b = memref.load %x[%end] : memref<8589934592xf32>
  %c = memref.load %view[%c0] : memref<8xf32, strided<[1], offset: 4294967296>>
  %j = arith.addi %i, %least : index
  %d = vector.load %x[%j] : memref<8589934592xf32>, vector<4xf32>
  %k = arith.addi %i, %less : index
  %e = vector.load %x[%k] : memref<8589934592xf32>, vector<4xf32>
  %f = arith.addf %a, %b : f32
  %g = arith.addf %c, %f : f32
  %h = arith.addf %d, %e : vector<4xf32>
  memref.store %g, %x[%c0] : memref<8589934592xf32>
  vector.store %h, %x[%c0] : memref<8589934592xf32>, vector<4xf32>
  return
}
