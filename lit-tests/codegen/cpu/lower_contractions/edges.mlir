// RUN: halo-opt %s --halo-lower-contractions='vector-bits=512 vector-registers=32' --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,MASKS
// RUN: halo-opt %s --halo-lower-contractions='vector-bits=256 vector-registers=16' --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,TWICE

// The last panel of rhs has eleven columns of its 32, and zeros. With masks, which AVX-512 has, its
// tile is one as the others: 36 vectors are computed for 35. Without, a tile of fewer vectors is
// code of its own.

// CHECK-LABEL: func.func @many_panels
//  CHECK-SAME:   %{{.*}}: memref<96x256xf32>, %[[B:.*]]: memref<256x555xf32>, %[[C:.*]]: memref<96x555xf32>
//       MASKS:   %[[PACKED:.*]] = memref.alloc() {{.*}} : memref<1x256x32xf32>
//       MASKS:   scf.if
//       MASKS:     vector.load %[[B]]
//       MASKS:   } else {
//       MASKS:     scf.for %[[K:.*]] =
//       MASKS:       %[[ELEVEN:.*]] = vector.constant_mask [11] : vector<16xi1>
//       MASKS:       %[[REST:.*]] = vector.maskedload %[[B]][%[[K]], %{{.*}}], %[[ELEVEN]]
//       MASKS:       vector.store %[[REST]], %[[PACKED]][%c0, %[[K]], %c0]
//       MASKS:       vector.store %cst{{.*}}, %[[PACKED]][%c0, %[[K]], %c16]
//       MASKS:     %[[LEFT:.*]] = arith.subi %c555, %[[COLUMN:.*]] : index
//       MASKS:     %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<16xi1>
//       MASKS:     vector.maskedstore %[[C]][%{{.*}}, %[[COLUMN]]], %[[MASK]]
//   MASKS-NOT:   vector.constant_mask
//   MASKS-NOT:   vector.store %{{.*}}, %[[C]]

//       TWICE:   vector.store %{{.*}}, %[[C]]
//       TWICE:   vector.maskedstore %[[C]]
//   TWICE-NOT:   vector.create_mask
func.func @many_panels(%a: memref<96x256xf32>, %b: memref<256x555xf32>, %c: memref<96x555xf32>) {
  linalg.matmul ins(%a, %b : memref<96x256xf32>, memref<256x555xf32>) outs(%c : memref<96x555xf32>)
  return
}

// -----

// Of 40 columns, four vectors would be computed for three.

// CHECK-LABEL: func.func @few_panels
//  CHECK-SAME:   %{{.*}}: memref<96x256xf32>, %{{.*}}: memref<256x40xf32>, %[[C:.*]]: memref<96x40xf32>
//   CHECK-NOT:   vector.create_mask
//       CHECK:   vector.store %{{.*}}, %[[C]]
//       MASKS:   vector.maskedstore %[[C]]
//   CHECK-NOT:   vector.create_mask
//       CHECK:   return
func.func @few_panels(%a: memref<96x256xf32>, %b: memref<256x40xf32>, %c: memref<96x40xf32>) {
  linalg.matmul ins(%a, %b : memref<96x256xf32>, memref<256x40xf32>) outs(%c : memref<96x40xf32>)
  return
}
