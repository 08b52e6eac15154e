// RUN: halo-opt %s --halo-linalg-to-loops --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-linalg-to-loops --split-input-file --mlir-print-ir-before=halo-cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMITTED

// Four neighbours of a row share the elements of their windows, and the kernel: 6 and 3
// loads beside their sums, before all stores.

// What is emitted has a constant once in a block, at its start, and an index is the sum of
// one constant: that of the second neighbour's second element is %j + 2, not %j + 1 + 1.

// EMITTED-LABEL: func.func @convolution
//       EMITTED:   %[[J:.*]] = arith.muli
//       EMITTED:   scf.for %[[C:.*]] =
//  EMITTED-NEXT:     arith.constant 0 : index
//  EMITTED-NEXT:     %[[ONE:.*]] = arith.constant 1 : index
//  EMITTED-NEXT:     %[[TWO:.*]] = arith.constant 2 : index
//   EMITTED-NOT:     arith.constant {{[0-2]}} : index
// EMITTED-COUNT-2:   memref.load %arg2
//       EMITTED:     %[[SECOND:.*]] = arith.addi %[[J]], %[[TWO]] : index
//  EMITTED-NEXT:     memref.load %arg0[%{{.*}}, %[[SECOND]], %[[C]]]
//   EMITTED-NOT:     arith.constant
//       EMITTED:   return

// CHECK-LABEL: func.func @convolution
//       CHECK:   scf.parallel (%[[BLOCK:.*]]) = (%c0) to (%c24) step (%c1)
//       CHECK:     %[[FIRST:.*]] = arith.muli %{{.*}}, %c4
//       CHECK:     scf.for %[[C:.*]] = %c0 to %c64 step %c1
// CHECK-COUNT-13:    memref.load
//   CHECK-NOT:       memref.load
// CHECK-COUNT-4:     memref.store %{{.*}}, %arg2[%{{.*}}, %{{.*}}, %[[C]]]
//   CHECK-NOT:     memref.store
//       CHECK:   return
func.func @convolution(%x: memref<8x14x64xf32>, %k: memref<3x64xf32>, %out: memref<8x12x64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j, c, w) -> (i, j + w, c)>, affine_map<(i, j, c, w) -> (w, c)>,
                       affine_map<(i, j, c, w) -> (i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : memref<8x14x64xf32>, memref<3x64xf32>) outs(%out : memref<8x12x64xf32>) {
  ^bb0(%e: f32, %f: f32, %sum: f32):
    %0 = arith.mulf %e, %f : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The rows of a window stay a loop. Inside of the image it is in that of the channels, and the
// sums of four neighbours are in registers: 6 and 3 loads in a row. At its border it is around
// that of the channels, so that a row of two neighbours, 4 and 3 loads, has 4 comparisons.

// CHECK-LABEL: func.func @padded
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.parallel (%[[BLOCK:.*]]) = (%c0) to (%c30) step (%c1)
//       CHECK:     scf.if
//       CHECK:       scf.for %[[C:.*]] = %c0 to %c64 step %c1
//       CHECK:         %[[SUMS:.*]]:4 = scf.for %[[U:.*]] = %c0 to %c3 step %c1 iter_args
// CHECK-COUNT-9:         memref.load
//   CHECK-NOT:           memref.load
//       CHECK:           scf.yield
// CHECK-COUNT-4:       memref.store %[[SUMS]]#{{[0-3]}}, %arg2[%{{.*}}, %{{.*}}, %[[C]]]
//       CHECK:       } {halo.parallel}
//       CHECK:     } else {
//       CHECK:       scf.for %[[PAIR:.*]] = %c0 to %c2 step %c1
//       CHECK:         scf.for %[[C:.*]] = %c0 to %c64 step %c1
// CHECK-COUNT-2:         memref.store %cst, %arg2[%{{.*}}, %{{.*}}, %[[C]]]
//       CHECK:         scf.for %[[U:.*]] = %c0 to %c3 step %c1
//       CHECK:           scf.for %[[C:.*]] = %c0 to %c64 step %c1
// CHECK-COUNT-9:           memref.load
//   CHECK-NOT:             memref.load
// CHECK-COUNT-2:           memref.store %{{.*}}, %arg2[%{{.*}}, %{{.*}}, %[[C]]]
//       CHECK:           } {halo.parallel}
//   CHECK-NOT:   memref.store
//       CHECK:   return
func.func @padded(%x: memref<10x12x64xf32>, %k: memref<3x3x64xf32>, %out: memref<10x12x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<12x14x64xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<12x14x64xf32>)
  %inside = memref.subview %padded[1, 1, 0] [10, 12, 64] [1, 1, 1]
    : memref<12x14x64xf32> to memref<10x12x64xf32, strided<[896, 64, 1], offset: 960>>
  memref.copy %x, %inside : memref<10x12x64xf32> to memref<10x12x64xf32, strided<[896, 64, 1], offset: 960>>
  linalg.fill ins(%zero : f32) outs(%out : memref<10x12x64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j, c, u, v) -> (i + u, j + v, c)>, affine_map<(i, j, c, u, v) -> (u, v, c)>,
                       affine_map<(i, j, c, u, v) -> (i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %k : memref<12x14x64xf32>, memref<3x3x64xf32>) outs(%out : memref<10x12x64xf32>) {
  ^bb0(%e: f32, %f: f32, %sum: f32):
    %0 = arith.mulf %e, %f : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// LLVM makes vectors of numbers that Halo makes none of, and in loops without others: there the
// window is unrolled inside of the image.

// CHECK-LABEL: func.func @narrow
//       CHECK:   scf.parallel
//       CHECK:     scf.if
//       CHECK:       scf.for %[[C:.*]] = %c0 to %c64 step %c1
//   CHECK-NOT:         scf.for
// CHECK-COUNT-27:     memref.load
//   CHECK-NOT:         memref.load
// CHECK-COUNT-4:       memref.store
//       CHECK:     } else {
//       CHECK:       scf.for %{{.*}} = %c0 to %c3 step %c1
//       CHECK:         scf.for %{{.*}} = %c0 to %c64 step %c1
func.func @narrow(%x: memref<10x12x64xbf16>, %k: memref<3x3x64xbf16>, %out: memref<10x12x64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %padded = memref.alloc() : memref<12x14x64xbf16>
  linalg.fill ins(%zero : bf16) outs(%padded : memref<12x14x64xbf16>)
  %inside = memref.subview %padded[1, 1, 0] [10, 12, 64] [1, 1, 1]
    : memref<12x14x64xbf16> to memref<10x12x64xbf16, strided<[896, 64, 1], offset: 960>>
  memref.copy %x, %inside : memref<10x12x64xbf16> to memref<10x12x64xbf16, strided<[896, 64, 1], offset: 960>>
  linalg.fill ins(%zero : bf16) outs(%out : memref<10x12x64xbf16>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j, c, u, v) -> (i + u, j + v, c)>, affine_map<(i, j, c, u, v) -> (u, v, c)>,
                       affine_map<(i, j, c, u, v) -> (i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%padded, %k : memref<12x14x64xbf16>, memref<3x3x64xbf16>) outs(%out : memref<10x12x64xbf16>) {
  ^bb0(%e: bf16, %f: bf16, %sum: bf16):
    %0 = arith.mulf %e, %f : bf16
    %1 = arith.addf %sum, %0 : bf16
    linalg.yield %1 : bf16
  }
  return
}

// -----

// A maximum has no kernel to share; its ops take longer than its loads.

// CHECK-LABEL: func.func @maximum
//       CHECK:   scf.parallel (%[[I:.*]]) = (%c0) to (%c96) step (%c1)
func.func @maximum(%x: memref<8x14x64xf32>, %shape: memref<3xi8>, %out: memref<8x12x64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j, c, w) -> (i, j + w, c)>, affine_map<(i, j, c, w) -> (w)>,
                       affine_map<(i, j, c, w) -> (i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %shape : memref<8x14x64xf32>, memref<3xi8>) outs(%out : memref<8x12x64xf32>) {
  ^bb0(%e: f32, %unread: i8, %most: f32):
    %0 = arith.maximumf %most, %e : f32
    linalg.yield %0 : f32
  }
  return
}
