// RUN: halo-opt %s --halo-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-lower-contractions=machine=x86-64-v3 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=AVX2

// Eight rows are read side by side, a line of each after the other, and each line
// is prefetched once, whatever the vectors are.

// CHECK-LABEL: func.func @matvec
//  CHECK-SAME:   %[[A:.*]]: memref<1024x520xf32>, %[[X:.*]]: memref<520x1xf32>, %[[Y:.*]]: memref<1024x1xf32>
//   CHECK-NOT:   linalg.
//       CHECK:   scf.parallel (%{{.*}}) = (%c0) to (%c128) step (%c1)
//       CHECK:     scf.for %[[K:.*]] = %c0 to %c512 step %c16 {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
//       CHECK:       %[[FAR:.*]] = arith.addi %[[K]], %c128
//       CHECK:       %[[NEXT:.*]] = arith.minsi %[[FAR]], %c519
// CHECK-COUNT-8:     memref.prefetch %[[A]][%{{.*}}, %[[NEXT]]], read, locality<3>, data
// CHECK-COUNT-8:     vector.fma
//   CHECK-NOT:       vector.fma
// CHECK-COUNT-8:   vector.reduction <add>
//       CHECK:     scf.for %{{.*}} = %c512 to %c520 step %c1
//       CHECK:     memref.store

// AVX2-LABEL: func.func @matvec
//       AVX2:   scf.for %{{.*}} = %c0 to %c512 step %c16 {{.*}} -> (vector<8xf32>
// AVX2-COUNT-8:  memref.prefetch
//   AVX2-NOT:    memref.prefetch
// AVX2-COUNT-16: vector.fma
//   AVX2-NOT:    vector.fma
//       AVX2:   vector.reduction
func.func @matvec(%a: memref<1024x520xf32>, %x: memref<520x1xf32>, %y: memref<1024x1xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1024x1xf32>)
  linalg.matmul ins(%a, %x : memref<1024x520xf32>, memref<520x1xf32>) outs(%y : memref<1024x1xf32>)
  return
}

// -----

// Rows that are not whole groups, and short ones, are left to plain loops.

// CHECK-LABEL: func.func @few_rows
//       CHECK:   linalg.matmul
func.func @few_rows(%a: memref<1023x520xf32>, %x: memref<520x1xf32>, %y: memref<1023x1xf32>) {
  linalg.matmul ins(%a, %x : memref<1023x520xf32>, memref<520x1xf32>) outs(%y : memref<1023x1xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @short_rows
//       CHECK:   linalg.matmul
func.func @short_rows(%a: memref<1024x240xf32>, %x: memref<240x1xf32>, %y: memref<1024x1xf32>) {
  linalg.matmul ins(%a, %x : memref<1024x240xf32>, memref<240x1xf32>) outs(%y : memref<1024x1xf32>)
  return
}

// -----

// Four vectors: each row is loaded once and multiplied by all. Half of the registers have sums.

// CHECK-LABEL: func.func @few_vectors
//  CHECK-SAME:   %[[X:.*]]: memref<4x512xf32>, %[[W:.*]]: memref<1024x512xi8>, %[[Y:.*]]: memref<4x1024xf32>
//       CHECK:   scf.parallel (%{{.*}}) = (%c0) to (%c256) step (%c1)
//       CHECK:     scf.for %{{.*}} = %c0 to %c512 step %c64
// CHECK-COUNT-4:     memref.prefetch %[[W]]
//   CHECK-NOT:       memref.prefetch
// CHECK-COUNT-4:     vector.load %[[X]]
//   CHECK-NOT:       vector.load %[[X]]
//       CHECK:       vector.load %[[W]]{{.*}} vector<16xi8>
//       CHECK:       arith.sitofp
// CHECK-COUNT-4:     vector.fma
//   CHECK-NOT:       vector.fma
//       CHECK:       vector.load %[[W]]
// CHECK-COUNT-16: vector.reduction <add>
//   CHECK-NOT:   vector.reduction

// AVX2-LABEL: func.func @few_vectors
//       AVX2:   scf.parallel (%{{.*}}) = (%c0) to (%c512) step (%c1)
// AVX2-COUNT-8: vector.reduction <add>
//   AVX2-NOT:   vector.reduction
func.func @few_vectors(%x: memref<4x512xf32>, %w: memref<1024x512xi8>, %y: memref<4x1024xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<4x512xf32>, memref<1024x512xi8>) outs(%y : memref<4x1024xf32>) {
  ^bb0(%a: f32, %b: i8, %out: f32):
    %f = arith.sitofp %b : i8 to f32
    %p = arith.mulf %a, %f : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  }
  return
}
