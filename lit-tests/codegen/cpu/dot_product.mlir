// RUN: halo-opt %s --halo-lower-contractions=bf16-products=avx512bf16 --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=NONE

// Pairs of k lie in integers, 32 of B in a row; the row behind them and the gap
// behind the rows of A have the least exponents, which decide for each tile.

// CHECK-LABEL: func.func @matmul
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<16x33x32xi32>
//       CHECK:   scf.parallel
//       CHECK:     vector.load {{.*}} vector<16xbf16>
//       CHECK:     arith.ori {{.*}} : vector<16xi32>
//       CHECK:     vector.store %{{.*}}, %[[BP]]
//       CHECK:     arith.minui {{.*}} : vector<32xi16>
//       CHECK:     vector.reduction <minui>
//       CHECK:     memref.store %{{.*}}, %[[BP]][%{{.*}}, %c32, %c0]
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel
//       CHECK:     %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x8x48xi32>
//       CHECK:     vector.load {{.*}} vector<32xbf16>
//       CHECK:     memref.store %{{.*}}, %[[AP]][%c0, %c0, %c47]
//       CHECK:     arith.cmpi sge, %{{.*}}, %c142_i32
//       CHECK:     scf.if
//       CHECK:       vector.load %[[BP]]{{.*}} vector<16xi32>
//       CHECK:       memref.load %[[AP]]
// CHECK-COUNT-16:    llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
//   CHECK-NOT:       dpbf16ps
//       CHECK:     } else {
// CHECK-COUNT-32:    vector.fma
//   CHECK-NOT:       vector.fma

// NONE-LABEL: func.func @matmul
//       NONE:   memref.alloc() {{.*}} : memref<16x64x32xf32>
//   NONE-NOT:   dpbf16ps
func.func @matmul(%a: memref<1024x64xbf16>, %b: memref<64x512xbf16>, %c: memref<1024x512xbf16>) {
  linalg.matmul ins(%a, %b : memref<1024x64xbf16>, memref<64x512xbf16>) outs(%c : memref<1024x512xbf16>)
  return
}

// -----

// An odd number of products is no number of pairs.

// CHECK-LABEL: func.func @odd
//   CHECK-NOT:   dpbf16ps
//       CHECK:   vector.fma
func.func @odd(%a: memref<256x63xbf16>, %b: memref<63x512xbf16>, %c: memref<256x512xbf16>) {
  linalg.matmul ins(%a, %b : memref<256x63xbf16>, memref<63x512xbf16>) outs(%c : memref<256x512xbf16>)
  return
}

// -----

// Vectors of fewer lanes have no such instruction.

// CHECK-LABEL: func.func @narrow
//   CHECK-NOT:   dpbf16ps
//       CHECK:   vector.fma
func.func @narrow(%a: memref<256x64xbf16>, %b: memref<64x8xbf16>, %c: memref<256x8xbf16>) {
  linalg.matmul ins(%a, %b : memref<256x64xbf16>, memref<64x8xbf16>) outs(%c : memref<256x8xbf16>)
  return
}
