// RUN: halo-opt %s --halo-lower-contractions=small-tiles=true --canonicalize --cse --split-input-file | FileCheck %s

// Four rows and one vector, with the blocks of large tiles.

// CHECK-LABEL: func.func @matmul
//       CHECK:   memref.alloc() {{.*}} : memref<32x64x16xf32>
//       CHECK:   scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
//   CHECK-NOT:   vector<32xf32>
func.func @matmul(%a: memref<1024x64xf32>, %b: memref<64x512xf32>, %c: memref<1024x512xf32>) {
  linalg.matmul ins(%a, %b : memref<1024x64xf32>, memref<64x512xf32>) outs(%c : memref<1024x512xf32>)
  return
}

// -----

// A sum is divided along k as in large tiles: half a cache of eight rows of f64.

// CHECK-LABEL: func.func @block_of_k
//       CHECK:   scf.for {{.*}} = %c0 to %c512 step %c256
func.func @block_of_k(%a: memref<256x512xf64>, %b: memref<512x512xf64>, %c: memref<256x512xf64>) {
  linalg.matmul ins(%a, %b : memref<256x512xf64>, memref<512x512xf64>) outs(%c : memref<256x512xf64>)
  return
}

// -----

// Few rows are summed two at a time.

// CHECK-LABEL: func.func @few_rows
//       CHECK:   scf.for {{.*}} step %c2 {
//       CHECK:     scf.for
// CHECK-COUNT-8:     vector.fma
//   CHECK-NOT:     vector.fma
func.func @few_rows(%a: memref<4x64xf32>, %b: memref<64x512xf32>, %c: memref<4x512xf32>) {
  linalg.matmul ins(%a, %b : memref<4x64xf32>, memref<64x512xf32>) outs(%c : memref<4x512xf32>)
  return
}
