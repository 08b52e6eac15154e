// RUN: halo-opt %s --halo-lower-contractions='machine=x86-64-v4' --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,MASKS
// RUN: halo-opt %s --halo-lower-contractions='machine=x86-64-v3' --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,TWICE

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

// -----

// Of 33 columns, tiles of three vectors leave none over, and have five rows. The last tile of 33
// rows has the last one three times: what it stores is the same each time.

// CHECK-LABEL: func.func @three_vectors
//  CHECK-SAME:   %[[A:.*]]: memref<33x33xf32>, %{{.*}}: memref<33x33xf32>, %[[C:.*]]: memref<33x33xf32>
//       MASKS:   %[[LAST:.*]] = arith.minsi %{{.*}}, %c32 : index
//       MASKS:   scf.for %{{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
//   MASKS-NOT:   scf.if
//       MASKS:   vector.store %{{.*}}, %[[C]][%[[LAST]], %c0]
//       MASKS:   vector.store %{{.*}}, %[[C]][%[[LAST]], %c16]
//       MASKS:   vector.maskedstore %[[C]][%[[LAST]], %c32]
//   MASKS-NOT:   scf.for
//       MASKS:   return
func.func @three_vectors(%a: memref<33x33xf32>, %b: memref<33x33xf32>, %c: memref<33x33xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<33x33xf32>)
  linalg.matmul ins(%a, %b : memref<33x33xf32>, memref<33x33xf32>) outs(%c : memref<33x33xf32>)
  return
}

// -----

// Where the product is added to what is there, or rows are packed with zeros behind the last one,
// each row is stored if there is one.

// CHECK-LABEL: func.func @added
//       MASKS:   scf.if
//       MASKS:     vector.store
func.func @added(%a: memref<33x33xf32>, %b: memref<33x48xf32>, %c: memref<33x48xf32>) {
  linalg.matmul ins(%a, %b : memref<33x33xf32>, memref<33x48xf32>) outs(%c : memref<33x48xf32>)
  return
}
