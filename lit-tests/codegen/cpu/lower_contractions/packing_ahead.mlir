// RUN: halo-opt %s --halo-lower-contractions='machine=x86-64-v4:second-cache=2097152 integer-products=vpdpbusd' --canonicalize --cse --split-input-file | FileCheck %s

// Panels of rhs have 32 bytes of rows that are far apart: two of them have a line together, and
// are packed from it at the same time. Rows of 32 groups ahead are prefetched. The tasks copy a
// panel of lhs, and each of its 32 tiles prefetches a part of the next one: of 8 rows, as much of
// k as 32 tiles have together.

// CHECK-LABEL: func.func @bytes
//  CHECK-SAME:   (%[[A:.*]]: memref<1024x1024xi8>, %[[B:.*]]: memref<1024x1024xi8>
//       CHECK:   %[[PACKED:.*]] = memref.alloc() {{.*}} : memref<32x257x32xi32>
//       CHECK:   scf.parallel (%[[PAIR:.*]]) = (%c0) to (%c16)
//       CHECK:     %[[PANEL:.*]] = arith.muli %[[PAIR]], %c2
//       CHECK:     scf.for %[[GROUP:.*]] = %c0 to %c1024 step %c4
//       CHECK:       %[[AHEAD:.*]] = arith.addi %[[GROUP]], %c128
//       CHECK:       %[[ROW:.*]] = arith.minsi %[[AHEAD]], %c1023
//       CHECK:       memref.prefetch %[[B]][%[[ROW]], %{{.*}}], read, locality<2>
//       CHECK:       scf.for %[[COLUMN:.*]] = %c0 to %c32 step %c16
//       CHECK:         vector.store %{{.*}}, %[[PACKED]][%[[PANEL]], %{{.*}}, %[[COLUMN]]]
//       CHECK:       %[[NEXT:.*]] = arith.addi %[[PANEL]], %c1
//       CHECK:       scf.for %[[COLUMN:.*]] = %c0 to %c32 step %c16
//       CHECK:         vector.store %{{.*}}, %[[PACKED]][%[[NEXT]], %{{.*}}, %[[COLUMN]]]
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel
//       CHECK:     arith.xori {{.*}} : vector<64xi8>
//       CHECK:     scf.for %[[TILE:.*]] = %c0 to %c32 step %c1
//       CHECK:       %[[K:.*]] = arith.muli %[[TILE]], %c64
//       CHECK:       scf.for %{{.*}} = %c0 to %c8 step %c1
//       CHECK:         scf.for %[[AT:.*]] = %[[K]] to %{{.*}} step %c64
//       CHECK:           memref.prefetch %[[A]][%{{.*}}, %[[AT]]], read, locality<2>
//       CHECK:       llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @bytes(%a: memref<1024x1024xi8>, %b: memref<1024x1024xi8>, %c: memref<1024x1024xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<1024x1024xi8>, memref<1024x1024xi8>) outs(%c : memref<1024x1024xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %z, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

// From 2^31 multiplications on, a tile has 12 rows of two vectors.

// CHECK-LABEL: func.func @large
//       CHECK:     memref.alloc() {{.*}} : memref<{{[0-9]+}}x12x
// CHECK-COUNT-24:  vector.fma {{.*}} : vector<16xf32>
func.func @large(%a: memref<2048x2048xf32>, %b: memref<2048x2048xf32>, %c: memref<2048x2048xf32>) {
  linalg.matmul ins(%a, %b : memref<2048x2048xf32>, memref<2048x2048xf32>) outs(%c : memref<2048x2048xf32>)
  return
}

// -----

// Smaller ones have 8 rows.

// CHECK-LABEL: func.func @small
//       CHECK:     memref.alloc() {{.*}} : memref<{{[0-9]+}}x8x
//   CHECK-NOT:     x12x
// CHECK-COUNT-16:  vector.fma {{.*}} : vector<16xf32>
//   CHECK-NOT:     vector.fma
func.func @small(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}
