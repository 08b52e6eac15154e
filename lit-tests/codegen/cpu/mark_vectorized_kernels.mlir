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

// Only kernels are marked.
// CHECK-LABEL: @no_kernel(
// CHECK-NOT: halo.vectorized
func.func @no_kernel() {
  return
}
