// RUN: halo-opt %s -split-input-file --halo-linalg-to-loops=sve-bits=512 | FileCheck %s

// A square of 16 by 16 numbers, in registers that are interleaved as a whole.

// CHECK-LABEL: func @transposition
//   CHECK-NOT:   vector.shuffle
//       CHECK:   vector.load {{.*}} : memref<64x64xf32{{.*}}vector<16xf32>
//       CHECK:   vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xf32>, vector<16xf32>
//       CHECK:   vector.shuffle {{.*}} [8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31]
func.func @transposition(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
  return
}

// -----

// Halves have no whole register: they are in those of NEON.

// CHECK-LABEL: func @halves
//       CHECK:   vector.load {{.*}}vector<8xi16>
//       CHECK:   vector.shuffle {{.*}} [0, 8, 1, 9, 2, 10, 3, 11]
func.func @halves(%a: memref<64x64xi16>, %b: memref<64x64xi16>) {
  linalg.transpose ins(%a : memref<64x64xi16>) outs(%b : memref<64x64xi16>) permutation = [1, 0]
  return
}

// -----

// Neutral elements are shifted into a register from below.

// CHECK-LABEL: func @cumulative
//       CHECK:   scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c16
//       CHECK:   %[[X:.*]] = vector.load
//       CHECK:   %[[FIRST:.*]] = vector.scalable.insert %{{.*}}, %{{.*}}[0] : vector<16xf32> into vector<[4]xf32>
//       CHECK:   %[[SECOND:.*]] = vector.scalable.insert %[[X]], %{{.*}}[0] : vector<16xf32> into vector<[4]xf32>
//       CHECK:   %[[AT:.*]] = arith.constant 15 : i32
//       CHECK:   %[[EXT:.*]] = llvm.call_intrinsic "llvm.aarch64.sve.ext.nxv4f32"(%[[FIRST]], %[[SECOND]], %[[AT]])
//       CHECK:   %[[MOVED:.*]] = vector.scalable.extract %[[EXT]][0] : vector<16xf32> from vector<[4]xf32>
//       CHECK:   arith.addf %[[MOVED]], %[[X]] : vector<16xf32>
//       CHECK:   arith.constant 14 : i32
//       CHECK:   arith.constant 12 : i32
//       CHECK:   arith.constant 8 : i32
func.func @cumulative(%a: memref<64x100xf32>, %b: memref<64x100xf32>, %c: memref<64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x100xf32>) outs(%b, %c : memref<64x100xf32>, memref<64xf32>) {
  ^bb0(%x: f32, %out: f32, %running: f32):
    %0 = arith.addf %running, %x : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}
