// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-mark-vectorized-kernels))' | FileCheck %s

// An innermost loop with vectors, and scalars that are spread into them.
// CHECK-LABEL: @vectors(
// CHECK-SAME: attributes {halo.kernel, halo.vectorized}
func.func private @vectors(%begin: index, %end: index, %x: memref<64x16xf32>, %y: memref<64x16xf32>)
    attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %row = vector.load %x[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    %first = memref.load %x[%i, %c0] : memref<64x16xf32>
    %all = vector.broadcast %first : f32 to vector<16xf32>
    %sum = arith.addf %row, %all : vector<16xf32>
    vector.store %sum, %y[%i, %c0] : memref<64x16xf32>, vector<16xf32>
  }
  return
}

// A loop over elements is LLVM's, also inside of one with vectors.
// CHECK-LABEL: @elements(
// CHECK-SAME: attributes {halo.kernel} {
func.func private @elements(%begin: index, %end: index, %x: memref<64x16xf32>)
    attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %begin to %end step %c1 {
    %row = vector.load %x[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    vector.store %row, %x[%c0, %c0] : memref<64x16xf32>, vector<16xf32>
    scf.for %j = %c0 to %c16 step %c1 {
      %element = memref.load %x[%i, %j] : memref<64x16xf32>
      memref.store %element, %x[%c1, %j] : memref<64x16xf32>
    }
  }
  return
}

// LLVM has no vectors for a loop that ends by what it reads and moves elements.
// CHECK-LABEL: @insertion(
// CHECK-SAME: attributes {halo.kernel, halo.vectorized}
func.func private @insertion(%begin: index, %end: index, %x: memref<64xf32>)
    attributes {halo.kernel} {
  %c1 = arith.constant 1 : index
  scf.for %i = %begin to %end step %c1 {
    %new = memref.load %x[%i] : memref<64xf32>
    %place = scf.while (%at = %i) : (index) -> index {
      %before = arith.subi %at, %c1 : index
      %present = memref.load %x[%before] : memref<64xf32>
      %moves = arith.cmpf ogt, %present, %new : f32
      scf.condition(%moves) %at : index
    } do {
    ^bb0(%at: index):
      %before = arith.subi %at, %c1 : index
      %present = memref.load %x[%before] : memref<64xf32>
      memref.store %present, %x[%at] : memref<64xf32>
      scf.yield %before : index
    }
    memref.store %new, %x[%place] : memref<64xf32>
  }
  return
}

// Nor for one that goes on by what it reads.
// CHECK-LABEL: @merge(
// CHECK-SAME: attributes {halo.kernel, halo.vectorized}
func.func private @merge(%begin: index, %end: index, %x: memref<64xf32>, %y: memref<64xf32>)
    attributes {halo.kernel} {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %ends:2 = scf.for %i = %begin to %end step %c1 iter_args(%left = %begin, %right = %end) -> (index, index) {
    %inside = arith.minsi %right, %c63 : index
    %a = memref.load %x[%left] : memref<64xf32>
    %b = memref.load %x[%inside] : memref<64xf32>
    %less = arith.cmpf olt, %b, %a : f32
    %least = arith.select %less, %b, %a : f32
    memref.store %least, %y[%i] : memref<64xf32>
    %next_left = arith.addi %left, %c1 : index
    %next_right = arith.addi %right, %c1 : index
    %taken_left = arith.select %less, %left, %next_left : index
    %taken_right = arith.select %less, %next_right, %right : index
    scf.yield %taken_left, %taken_right : index, index
  }
  return
}

// It may have some for a loop that reads until it finds something, for sums, and for places that
// are as far apart in each iteration.
// CHECK-LABEL: @search(
// CHECK-SAME: attributes {halo.kernel} {
func.func private @search(%begin: index, %end: index, %x: memref<64xf32>)
    attributes {halo.kernel} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %place = scf.while (%at = %begin) : (index) -> index {
    %present = memref.load %x[%at] : memref<64xf32>
    %goes_on = arith.cmpf ogt, %present, %zero : f32
    scf.condition(%goes_on) %at : index
  } do {
  ^bb0(%at: index):
    %next = arith.addi %at, %c1 : index
    scf.yield %next : index
  }
  return
}

// CHECK-LABEL: @places(
// CHECK-SAME: attributes {halo.kernel} {
func.func private @places(%begin: index, %end: index, %x: memref<64xf32>, %y: memref<1xf32>)
    attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %sum:2 = scf.for %i = %begin to %end step %c1 iter_args(%acc = %zero, %at = %begin) -> (f32, index) {
    %a = memref.load %x[%at] : memref<64xf32>
    %next_acc = arith.addf %acc, %a : f32
    %next = arith.addi %at, %c2 : index
    scf.yield %next_acc, %next : f32, index
  }
  memref.store %sum#0, %y[%c0] : memref<1xf32>
  return
}

// Only kernels are marked.
// CHECK-LABEL: @no_kernel(
// CHECK-NOT: halo.vectorized
func.func @no_kernel() {
  return
}
