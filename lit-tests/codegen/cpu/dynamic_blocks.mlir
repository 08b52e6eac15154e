// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-lower-contractions{machine=x86-64-v3}))' | FileCheck %s

// Few products are computed without copies. Others are products of copies of blocks: one of 32
// elements a dimension, or several of 64.

// CHECK-LABEL: func.func @columns
//       CHECK:   %[[PLACES:.*]] = arith.muli
//       CHECK:   %[[WORK:.*]] = arith.muli %[[PLACES]], %c16
//       CHECK:   %[[SMALL:.*]] = arith.cmpi ult, %[[WORK]]
//       CHECK:   scf.if %[[SMALL]] {
//       CHECK:   linalg.fill
//       CHECK:   linalg.matmul
//       CHECK:   } else {
//       CHECK:   scf.if %{{.*}} {
//       CHECK:   scf.parallel
//       CHECK:   memref.alloc() {{.*}} : memref<32x16xf32>
//       CHECK:   memref.alloc() {{.*}} : memref<16x32xf32>
//       CHECK:   memref.alloc() {{.*}} : memref<32x32xf32>
//       CHECK:   scf.if
//       CHECK:   vector.load
//       CHECK:   } else {
//       CHECK:   vector.create_mask
//       CHECK:   vector.maskedload
//       CHECK:   vector.fma
//       CHECK:   } else {
//       CHECK:   scf.parallel
//       CHECK:   memref<64x64xf32>
//       CHECK:   vector.fma
func.func @columns(%a: memref<?x16xf32>, %b: memref<16x?xf32>, %c: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x16xf32>, memref<16x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// Each product of the batch has loops of its own; the depth is summed block by block.

// CHECK-LABEL: func.func @batch
//       CHECK:   scf.parallel (%{{.*}}, %{{.*}}) =
//       CHECK:   scf.for
//       CHECK:   vector.fma
func.func @batch(%a: memref<?x8x?xf32>, %b: memref<?x?x24xf32>, %c: memref<?x8x24xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<?x8x?xf32>, memref<?x?x24xf32>)
    outs(%c : memref<?x8x24xf32>)
  return
}

// The batch and the length are the rows of one product.

// CHECK-LABEL: func.func @rows
//       CHECK:   memref.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]]
//   CHECK-NOT:   memref.alloc() {{.*}} : memref<64x64xf32>
//       CHECK:   vector.fma
func.func @rows(%a: memref<?x?x16xf32>, %b: memref<16x32xf32>, %c: memref<?x?x32xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>, affine_map<(b, s, n, k) -> (k, n)>,
                     affine_map<(b, s, n, k) -> (b, s, n)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<?x?x16xf32>, memref<16x32xf32>) outs(%c : memref<?x?x32xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
