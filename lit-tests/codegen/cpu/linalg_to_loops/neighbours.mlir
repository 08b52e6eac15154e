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
