// RUN: halo-opt %s '--halo-lower-contractions=bf16-products=amx integer-products=amx' --canonicalize --cse --split-input-file | FileCheck %s

// Four tiles of sums start from what the result has, beside code in f32 for sums that might
// be subnormal.

// CHECK-LABEL: func.func @bf16
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<16x33x32xi32>
//       CHECK:   scf.parallel
//       CHECK:     %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x32x48xi32>
//       CHECK:     %[[SUMS:.*]] = memref.alloc() {{.*}} : memref<32x32xf32>
//       CHECK:     arith.cmpi sge, %{{.*}}, %c142_i32
//       CHECK:     scf.if
// CHECK-COUNT-4:     amx.tile_load %arg2[{{.*}}], %c512 : memref<256x512xf32> into !amx.tile<16x16xf32>
//       CHECK:       %[[END:.*]]:4 = scf.for %{{.*}} = %c0 to %c32 step %c16 iter_args({{.*}}) -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>)
//   CHECK-DAG:         amx.tile_load %[[AP]][%c0, %c0, %{{.*}}] : memref<1x32x48xi32> into !amx.tile<16x32xbf16>
//   CHECK-DAG:         amx.tile_load %[[AP]][%c0, %c16, %{{.*}}] : memref<1x32x48xi32> into !amx.tile<16x32xbf16>
//   CHECK-DAG:         amx.tile_load %[[BP]][%{{.*}}, %{{.*}}, %c0]
//   CHECK-DAG:         amx.tile_load %[[BP]][%{{.*}}, %{{.*}}, %c16]
//       CHECK:         amx.tile_mulf
// CHECK-COUNT-4:     amx.tile_store %arg2[{{.*}}], %{{.*}}, %c512 : memref<256x512xf32>, !amx.tile<16x16xf32>
//       CHECK:     } else {
//       CHECK:       scf.for %{{.*}} = %c0 to %c32 step %c8
//       CHECK:         vector.fma
//       CHECK:         vector.store {{.*}}, %[[SUMS]]
func.func @bf16(%a: memref<256x64xbf16>, %b: memref<64x512xbf16>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x64xbf16>, memref<64x512xbf16>) outs(%c : memref<256x512xf32>)
  return
}

// -----

// Integers need no other code, and there are instructions for all signs. Tiles at the edge
// have rows that the result lacks, so their sums go through memory.

// CHECK-LABEL: func.func @bytes
//       CHECK:   %[[SUMS:.*]] = memref.alloc() {{.*}} : memref<32x32xi32>
//   CHECK-NOT:   cmpi sge
//       CHECK:   amx.tile_zero : !amx.tile<16x16xi32>
//       CHECK:   amx.tile_muli %{{.*}} zext, %{{.*}}, %{{.*}} : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
//       CHECK:   amx.tile_store %[[SUMS]][%c0, %c0]
//       CHECK:   scf.for
//       CHECK:     vector.load %[[SUMS]]
//       CHECK:     vector.store {{.*}}, %arg2
func.func @bytes(%a: memref<250x128xi8>, %b: memref<128x512xi8>, %c: memref<250x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<250x128xi8>, memref<128x512xi8>) outs(%c : memref<250x512xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

// Rows of A are made of columns in registers.

// CHECK-LABEL: func.func @transposed
//       CHECK:   %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x32x48xi32>
// CHECK-COUNT-16:  arith.ori {{.*}} : vector<16xi32>
// CHECK-COUNT-64:  vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK-COUNT-16:  vector.store %{{.*}}, %[[AP]]
//       CHECK:   amx.tile_mulf
func.func @transposed(%a: memref<64x256xbf16>, %b: memref<64x512xbf16>, %c: memref<256x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x256xbf16>, memref<64x512xbf16>) outs(%c : memref<256x512xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// What has no whole tiles along k is multiplied as f32, faster than by dot products of vectors.

// CHECK-LABEL: func.func @short
//   CHECK-NOT:   amx
//   CHECK-NOT:   dpbf16ps
//       CHECK:   vector.fma
func.func @short(%a: memref<256x48xbf16>, %b: memref<48x512xbf16>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x48xbf16>, memref<48x512xbf16>) outs(%c : memref<256x512xf32>)
  return
}
