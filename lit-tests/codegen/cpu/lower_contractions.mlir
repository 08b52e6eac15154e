// RUN: halo-opt %s --halo-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-lower-contractions=machine=x86-64-v3 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=AVX2

// B goes into panels of 32 columns before the tasks. A task packs 8 panels of 8 rows of A, which
// all read a panel of B before the next one; C is held in 16 registers.

// CHECK-LABEL: func.func @matmul
//  CHECK-SAME:   %[[A:.*]]: memref<1024x64xf32>, %[[B:.*]]: memref<64x512xf32>, %[[C:.*]]: memref<1024x512xf32>
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<16x64x32xf32>
//       CHECK:   scf.parallel (%[[PANEL:.*]]) = (%{{.*}}) to (%c16)
//       CHECK:     vector.load %[[B]]
//       CHECK:     vector.store %{{.*}}, %[[BP]]
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel (%[[TASK:.*]]) =
//       CHECK:     %[[AP:.*]] = memref.alloc() {{.*}} : memref<8x8x64xf32>
//       CHECK:     vector.store %{{.*}}, %[[AP]]
//       CHECK:     } {halo.packing}
//       CHECK:     scf.for %[[COLUMN:.*]] =
//       CHECK:     scf.for %[[ROW:.*]] =
//       CHECK:       scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
//  CHECK-COUNT-2:       vector.load %[[BP]][%[[COLUMN]],
//       CHECK:          memref.load %[[AP]]
//       CHECK:          vector.broadcast
//       CHECK:          vector.fma
//       CHECK:       vector.load %[[C]]
//       CHECK:       arith.addf
//       CHECK:       vector.store %{{.*}}, %[[C]]

// AVX2-LABEL: func.func @matmul
//       AVX2:   memref.alloc() {{.*}} : memref<32x64x16xf32>
//       AVX2:   scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
//   AVX2-COUNT-12: vector.fma {{.*}} : vector<8xf32>
//    AVX2-NOT:   vector.fma
//   AVX2-NEXT:   scf.yield
func.func @matmul(%a: memref<1024x64xf32>, %b: memref<64x512xf32>, %c: memref<1024x512xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x64xf32>, memref<64x512xf32>) outs(%c : memref<1024x512xf32>)
  return
}

// -----

// All tasks read the rows that stay in half of the second cache, and each packs its own columns.

// CHECK-LABEL: func.func @cached_rows
//  CHECK-SAME:   %[[A:.*]]: memref<256x64xf32>, %[[B:.*]]: memref<64x512xf32>, %[[C:.*]]: memref<256x512xf32>
//   CHECK-NOT:   scf.parallel
//       CHECK:   scf.parallel {{.*}} to (%c8)
//       CHECK:     %[[BP:.*]] = memref.alloc() {{.*}} : memref<1x64x32xf32>
//       CHECK:     vector.store %{{.*}}, %[[BP]]
//       CHECK:     vector.load %[[BP]]
//       CHECK:     memref.load %[[A]]
func.func @cached_rows(%a: memref<256x64xf32>, %b: memref<64x512xf32>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x64xf32>, memref<64x512xf32>) outs(%c : memref<256x512xf32>)
  return
}

// -----

// Tiles of 11 rows in place of 8 have none out of bounds.

// CHECK-LABEL: func.func @few_rows
//       CHECK:   memref.alloc() {{.*}} : memref<3x11x{{.*}}xf32>
func.func @few_rows(%a: memref<33x512xf32>, %b: memref<512x2048xf32>, %c: memref<33x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<33x512xf32>, memref<512x2048xf32>) outs(%c : memref<33x2048xf32>)
  return
}

// -----

// A range of k is as long as the first cache holds a panel of B. B is packed a range at a time, never
// more than 2 MB of it. Rows of C that other ranges of k left are prefetched.

// CHECK-LABEL: func.func @large
//  CHECK-SAME:   %[[A:.*]]: memref<1024x1024xf32>, %[[B:.*]]: memref<1024x1024xf32>, %[[C:.*]]: memref<1024x1024xf32>
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<32x256x32xf32>
//       CHECK:   scf.for %{{.*}} = %c0 to %c1024 step %c256
//       CHECK:     scf.parallel
//       CHECK:       vector.store %{{.*}}, %[[BP]]
//       CHECK:     } {halo.packing}
//       CHECK:     scf.parallel
//       CHECK:       %[[AP:.*]] = memref.alloc() {{.*}} : memref<8x8x272xf32>
//       CHECK:           scf.for %[[ROW:.*]] = %c0 to %c8
//       CHECK:             vector.load %[[A]]{{.*}} vector<16xf32>
//       CHECK:             vector.store %{{.*}}, %[[AP]][%{{.*}}, %[[ROW]], %{{.*}}]
//   CHECK-NOT:           memref.load %[[A]]
// CHECK-COUNT-16:        memref.prefetch %[[C]]{{.*}}, write
//       CHECK:           vector.load %[[BP]]
//       CHECK:           memref.load %[[AP]]
func.func @large(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}

// -----

// Few rows are packed before the tasks, each of which packs its own columns.

// CHECK-LABEL: func.func @row_block
//       CHECK:   %[[AP:.*]] = memref.alloc() {{.*}} : memref<8x8x528xf32>
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel
//       CHECK:     %[[BP:.*]] = memref.alloc() {{.*}} : memref<1x256x32xf32>
func.func @row_block(%a: memref<64x512xf32>, %b: memref<512x2048xf32>, %c: memref<64x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<64x512xf32>, memref<512x2048xf32>) outs(%c : memref<64x2048xf32>)
  return
}

// -----

// In a parallel loop nothing is divided, and the memory for packing is outside
// of the loops, which an iteration could not free.

// CHECK-LABEL: func.func @nested
//       CHECK:   scf.parallel
//       CHECK:     memref.alloc
//   CHECK-NOT:     scf.parallel
//       CHECK:     scf.for
//   CHECK-NOT:       memref.alloc
func.func @nested(%a: memref<4x512x512xf32>, %b: memref<512x512xf32>, %c: memref<4x512x512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %x = memref.subview %a[%i, 0, 0] [1, 512, 512] [1, 1, 1] : memref<4x512x512xf32> to memref<512x512xf32, strided<[512, 1], offset: ?>>
    %y = memref.subview %c[%i, 0, 0] [1, 512, 512] [1, 1, 1] : memref<4x512x512xf32> to memref<512x512xf32, strided<[512, 1], offset: ?>>
    linalg.matmul ins(%x, %b : memref<512x512xf32, strided<[512, 1], offset: ?>>, memref<512x512xf32>)
                  outs(%y : memref<512x512xf32, strided<[512, 1], offset: ?>>)
  }
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

// The first range of k overwrites the result, and the second is added to it: a loop over the
// rows of the tile, which are in memory meanwhile, and end at the edge.

// CHECK-LABEL: func.func @ranges
//  CHECK-SAME:   %{{.*}}: memref<1020x1024xf32>, %{{.*}}: memref<1024x1024xf32>, %[[C:.*]]: memref<1020x1024xf32>
//   CHECK-DAG:   %[[NOTHING:.*]] = arith.constant dense<-0.000000e+00> : vector<16xf32>
//       CHECK:       scf.for %[[K:.*]] = %c0 to %c1024 step %c256
//       CHECK:         arith.addi %[[K]], %c256 overflow<nsw>
//       CHECK:         %[[SUMS:.*]] = memref.alloc() {{.*}} : memref<8x32xf32>
//       CHECK:         %[[FIRST:.*]] = arith.cmpi slt, %[[K]], %c1
// CHECK-COUNT-16:      vector.fma
// CHECK-COUNT-16:      vector.store %{{.*}}, %[[SUMS]]
//       CHECK:         %[[LEFT:.*]] = arith.subi %c1020, %{{.*}}
//       CHECK:         %[[ROWS:.*]] = arith.minsi %[[LEFT]], %c8
//       CHECK:         scf.for %[[ROW:.*]] = %c0 to %[[ROWS]] step %c1
//  CHECK-NEXT:           vector.load %[[SUMS]][%[[ROW]], %c0]
//       CHECK:           scf.if %[[FIRST]]
//  CHECK-NEXT:             scf.yield %[[NOTHING]], %[[NOTHING]]
//       CHECK:             vector.load %[[C]]
// CHECK-COUNT-2:         vector.store %{{.*}}, %[[C]]
//   CHECK-NOT:         vector.store
//       CHECK:   return
func.func @ranges(%a: memref<1020x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1020x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1020x1024xf32>)
  linalg.matmul ins(%a, %b : memref<1020x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1020x1024xf32>)
  return
}

// -----

// Edges: a mask for the columns, a test for the rows.

// CHECK-LABEL: func.func @edges
//       CHECK:   vector.maskedload
//       CHECK:   scf.if
//       CHECK:   vector.maskedstore
func.func @edges(%a: memref<51x64xf32>, %b: memref<64x40xf32>, %c: memref<51x40xf32>) {
  linalg.matmul ins(%a, %b : memref<51x64xf32>, memref<64x40xf32>) outs(%c : memref<51x40xf32>)
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

// Small products, dot products along rows that are no groups of eight, and other
// ops are not for this pass.

// CHECK-LABEL: func.func @others
//       CHECK:   linalg.matmul
//       CHECK:   linalg.matvec
//       CHECK:   linalg.generic
func.func @others(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>,
                  %d: memref<510x510xf32>, %e: memref<510xf32>, %f: memref<510xf32>) {
  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  linalg.matvec ins(%d, %e : memref<510x510xf32>, memref<510xf32>) outs(%f : memref<510xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %d : memref<510x510xf32>, memref<510x510xf32>) outs(%d : memref<510x510xf32>) {
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

// Two summed dimensions that do not lie side by side in A do in its panels.

// CHECK-LABEL: func.func @two_summed
//  CHECK-SAME:   %[[A:.*]]: memref<4x32x16xf32>
//   CHECK-NOT:   linalg
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0, 1, 2]]
//       CHECK:   vector.load %[[FLAT]]
//       CHECK:   vector.fma
//       CHECK:   return
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

// -----

// Neither the padding nor the patches of a convolution are stored: panels are
// packed from the image, and zeros selected for pixels that lie outside.

// CHECK-LABEL: func.func @convolution
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<1x56x56x64xf32>
//   CHECK-NOT:   linalg
//   CHECK-NOT:   memref.copy
//   CHECK-DAG:   memref.alloc() {{.*}} : memref<2x192x32xf32>
//   CHECK-DAG:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]] {{\[\[}}0, 1, 2, 3]] : memref<1x56x56x64xf32> into memref<200704xf32>
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel
//       CHECK:     %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<14x1x640xf32>
//       CHECK:     arith.cmpi ult
//       CHECK:     scf.for %{{.*}} = %c0 to %c64 step %c16
//       CHECK:       %[[READ:.*]] = vector.load %[[FLAT]]{{.*}} vector<16xf32>
//       CHECK:       arith.select %{{.*}}, %[[READ]]
//       CHECK:       vector.store %{{.*}}, %[[PANEL]]
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @convolution(%image: memref<1x56x56x64xf32>, %filter: memref<3x3x64x64xf32>, %out: memref<3136x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x58x58x64xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x58x58x64xf32>)
  %patches = memref.alloc() : memref<1x56x56x3x3x64xf32>
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 56, 56, 64] [1, 1, 1, 1] : memref<1x58x58x64xf32> to memref<1x56x56x64xf32, strided<[215296, 3712, 64, 1], offset: 3776>>
  memref.copy %image, %inside : memref<1x56x56x64xf32> to memref<1x56x56x64xf32, strided<[215296, 3712, 64, 1], offset: 3776>>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y + i, x + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<1x58x58x64xf32>) outs(%patches : memref<1x56x56x3x3x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x56x56x3x3x64xf32> into memref<3136x576xf32>
  %rhs = memref.collapse_shape %filter [[0, 1, 2], [3]] : memref<3x3x64x64xf32> into memref<576x64xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<3136x64xf32>)
  linalg.matmul ins(%lhs, %rhs : memref<3136x576xf32>, memref<576x64xf32>) outs(%out : memref<3136x64xf32>)
  return
}

// -----

// An image that changes in between is copied before.

// CHECK-LABEL: func.func @image_in_use
//       CHECK:   linalg.generic
//       CHECK:   linalg.fill ins(%{{.*}}) outs(%arg0
//       CHECK:   vector.fma
func.func @image_in_use(%image: memref<1x32x32x16xf32>, %filter: memref<144x64xf32>, %out: memref<900x64xf32>) {
  %one = arith.constant 1.0 : f32
  %patches = memref.alloc() : memref<1x30x30x3x3x16xf32>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y + i, x + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x32x32x16xf32>) outs(%patches : memref<1x30x30x3x3x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.fill ins(%one : f32) outs(%image : memref<1x32x32x16xf32>)
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x30x30x3x3x16xf32> into memref<900x144xf32>
  linalg.matmul ins(%lhs, %filter : memref<900x144xf32>, memref<144x64xf32>) outs(%out : memref<900x64xf32>)
  return
}

// -----

// What no iteration of a loop changes is packed before it.

// CHECK-LABEL: func.func @recurrent
//  CHECK-SAME:   %{{.*}}: memref<16x256xf32>, %[[B:.*]]: memref<256x1024xf32>
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<32x256x32xf32>
//       CHECK:   scf.parallel
//       CHECK:     vector.load %[[B]]
//       CHECK:   } {halo.packing}
//       CHECK:   scf.for
//   CHECK-NOT:     vector.load %[[B]]
//       CHECK:     vector.load %[[BP]]
//       CHECK:     vector.fma
func.func @recurrent(%a: memref<16x256xf32>, %b: memref<256x1024xf32>, %c: memref<16x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    linalg.matmul ins(%a, %b : memref<16x256xf32>, memref<256x1024xf32>) outs(%c : memref<16x1024xf32>)
  }
  return
}

// -----

// What an iteration writes is packed in it.

// CHECK-LABEL: func.func @updated
//   CHECK-NOT:   halo.packing
//       CHECK:   scf.for
//       CHECK:     vector.fma
func.func @updated(%a: memref<16x256xf32>, %b: memref<256x1024xf32>, %c: memref<16x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    linalg.matmul ins(%a, %b : memref<16x256xf32>, memref<256x1024xf32>) outs(%c : memref<16x1024xf32>)
    %row = memref.subview %b[%i, 0] [1, 1024] [1, 1] : memref<256x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%row : memref<1024xf32, strided<[1], offset: ?>>)
  }
  return
}
