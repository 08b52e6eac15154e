// RUN: halo-opt %s --halo-lower-contractions | FileCheck %s
// RUN: halo-opt %s --pass-pipeline='builtin.module(halo-gpu-contractions)' | FileCheck %s
// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-linalg-to-kernels))' | FileCheck %s --check-prefix=DYNAMIC

// A pass that does not lower an op leaves the function as it is: the size of a
// dynamic dimension and the view of an operand with joined dimensions are built
// when the code that needs them is.

// CHECK-LABEL:   func.func @dynamic_reduction(
// CHECK-NEXT:      linalg.generic
// DYNAMIC-LABEL: func.func @dynamic_reduction(
// DYNAMIC-NEXT:    linalg.generic
func.func @dynamic_reduction(%in: memref<8x?xf32>, %out: memref<8xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%in : memref<8x?xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// Complex numbers have no tiles.

// CHECK-LABEL:   func.func @dynamic_matmul(
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      return
// DYNAMIC-LABEL: func.func @dynamic_matmul(
// DYNAMIC-NEXT:    linalg.matmul
func.func @dynamic_matmul(%lhs: memref<64x?xcomplex<f32>>, %rhs: memref<?x64xcomplex<f32>>, %result: memref<64x64xcomplex<f32>>) {
  linalg.matmul ins(%lhs, %rhs : memref<64x?xcomplex<f32>>, memref<?x64xcomplex<f32>>) outs(%result : memref<64x64xcomplex<f32>>)
  return
}

// Too small for a kernel; two of its loops could be one.

// CHECK-LABEL:   func.func @small_contraction(
// CHECK-NEXT:      linalg.generic
// CHECK:           return
func.func @small_contraction(%lhs: memref<2x3x4xf32>, %rhs: memref<4x5xf32>, %result: memref<2x3x5xf32>) {
  linalg.generic {
    indexing_maps = [
      affine_map<(b, m, n, k) -> (b, m, k)>,
      affine_map<(b, m, n, k) -> (k, n)>,
      affine_map<(b, m, n, k) -> (b, m, n)>
    ],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%lhs, %rhs : memref<2x3x4xf32>, memref<4x5xf32>) outs(%result : memref<2x3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
