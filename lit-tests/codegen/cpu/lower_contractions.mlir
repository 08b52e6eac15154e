// RUN: halo-opt %s --halo-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-lower-contractions=vector-bits=256 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=AVX2

// B goes into panels of 32 columns, A into panels of 8 rows, C is held in 16
// registers.

// CHECK-LABEL: func.func @matmul
//  CHECK-SAME:   %[[A:.*]]: memref<256x64xf32>, %[[B:.*]]: memref<64x512xf32>, %[[C:.*]]: memref<256x512xf32>
//   CHECK-DAG:   %[[AP:.*]] = memref.alloc() {{.*}} : memref<{{[0-9]+}}x16x64x8xf32>
//   CHECK-DAG:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<1x16x64x32xf32>
//       CHECK:   scf.parallel (%[[PANEL:.*]]) = (%{{.*}}) to (%c16)
//       CHECK:     vector.load %[[B]]
//       CHECK:     vector.store %{{.*}}, %[[BP]]
//       CHECK:   scf.parallel (%[[TASK:.*]]) =
//  CHECK-COUNT-8:     vector.load %[[A]]{{.*}} vector<8xf32>
//  CHECK-COUNT-24:    vector.shuffle
//       CHECK:       scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
//  CHECK-COUNT-2:       vector.load %[[BP]]
//       CHECK:          memref.load %[[AP]]
//       CHECK:          vector.broadcast
//       CHECK:          vector.fma
//       CHECK:       vector.load %[[C]]
//       CHECK:       arith.addf
//       CHECK:       vector.store %{{.*}}, %[[C]]

// AVX2-LABEL: func.func @matmul
//   AVX2-DAG:   memref.alloc() {{.*}} : memref<{{[0-9]+}}x32x64x4xf32>
//   AVX2-DAG:   memref.alloc() {{.*}} : memref<1x22x64x24xf32>
//       AVX2:   vector.fma {{.*}} : vector<8xf32>
func.func @matmul(%a: memref<256x64xf32>, %b: memref<64x512xf32>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x64xf32>, memref<64x512xf32>) outs(%c : memref<256x512xf32>)
  return
}

// -----

// Zeros that C starts from are not written, and the sums not added to them.

// CHECK-LABEL: func.func @fill
//   CHECK-NOT:   linalg.fill
//   CHECK-NOT:   arith.addf
func.func @fill(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// Unless something may have read or written them.

// CHECK-LABEL: func.func @fill_in_use
//       CHECK:   linalg.fill
//       CHECK:   arith.addf
func.func @fill_in_use(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  memref.copy %a, %c : memref<64x64xf32> to memref<64x64xf32>
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

// One row of C: eight rows of B at a time are read along their length.

// CHECK-LABEL: func.func @row
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.parallel
//       CHECK:     scf.for
// CHECK-COUNT-8:     vector.fma {{.*}} : vector<16xf32>
func.func @row(%a: memref<512xf32>, %b: memref<512x8192xf32>, %c: memref<8192xf32>) {
  linalg.vecmat ins(%a, %b : memref<512xf32>, memref<512x8192xf32>) outs(%c : memref<8192xf32>)
  return
}

// -----

// Edges: a mask for the columns, a test for the rows.

// CHECK-LABEL: func.func @edges
//       CHECK:   vector.maskedload
//       CHECK:   scf.if
//       CHECK:   vector.maskedstore
func.func @edges(%a: memref<50x64xf32>, %b: memref<64x40xf32>, %c: memref<50x40xf32>) {
  linalg.matmul ins(%a, %b : memref<50x64xf32>, memref<64x40xf32>) outs(%c : memref<50x40xf32>)
  return
}

// -----

// Narrow factors are converted as they are packed.

// CHECK-LABEL: func.func @bf16
//   CHECK-DAG:   memref.alloc() {{.*}}xf32>
//       CHECK:   arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
//       CHECK:   vector.fma {{.*}} : vector<16xf32>
func.func @bf16(%a: memref<256x256xbf16>, %b: memref<256x256xbf16>, %c: memref<256x256xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x256xbf16>, memref<256x256xbf16>) outs(%c : memref<256x256xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Each product of a batch is one thread's.

// CHECK-LABEL: func.func @batch
//       CHECK:   scf.parallel (%{{.*}}) = (%{{.*}}) to (%c12)
//   CHECK-NOT:   scf.parallel
func.func @batch(%a: memref<12x64x64xf32>, %b: memref<12x64x64xf32>, %c: memref<12x64x64xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<12x64x64xf32>, memref<12x64x64xf32>) outs(%c : memref<12x64x64xf32>)
  return
}

// -----

// Small products, dot products along rows and other ops are not for this pass.

// CHECK-LABEL: func.func @others
//       CHECK:   linalg.matmul
//       CHECK:   linalg.matvec
//       CHECK:   linalg.generic
func.func @others(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>,
                  %d: memref<512x512xf32>, %e: memref<512xf32>, %f: memref<512xf32>) {
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  linalg.matvec ins(%d, %e : memref<512x512xf32>, memref<512xf32>) outs(%f : memref<512xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %d : memref<512x512xf32>, memref<512x512xf32>) outs(%d : memref<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.maximumf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What fusion put into the product is computed once, into a buffer. The zeros
// are still found behind it.

// CHECK-LABEL: func.func @fused
//   CHECK-NOT:   linalg.fill
//       CHECK:   %[[T:.*]] = memref.alloc() {{.*}} : memref<64x64xf32>
//       CHECK:   linalg.generic {{.*}} outs(%[[T]] : memref<64x64xf32>)
//       CHECK:     math.tanh
//       CHECK:   vector.fma
//   CHECK-NOT:   math.tanh
//       CHECK:   return
func.func @fused(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = math.tanh %x : f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  }
  return
}

// -----

// Two summed dimensions that do not lie side by side in A do in a copy of it.

// CHECK-LABEL: func.func @two_summed
//       CHECK:   %[[T:.*]] = memref.alloc() {{.*}} : memref<32x4x16xf32>
//       CHECK:   linalg.generic {{.*}} outs(%[[T]] : memref<32x4x16xf32>)
//       CHECK:   memref.collapse_shape %[[T]] {{\[\[}}0], [1, 2]]
//       CHECK:   vector.fma
func.func @two_summed(%a: memref<4x32x16xf32>, %b: memref<4x16x64xf32>, %c: memref<32x64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(m, n, h, d) -> (h, m, d)>, affine_map<(m, n, h, d) -> (h, d, n)>, affine_map<(m, n, h, d) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : memref<4x32x16xf32>, memref<4x16x64xf32>) outs(%c : memref<32x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
