// RUN: halo-opt %s --halo-lower-contractions=vector-bits=256 --canonicalize --cse --split-input-file | FileCheck %s

// A thread computes as many tasks as another one. Few columns that stay in the caches are
// packed once, and a task is a tile of rows: three tasks of two panels would leave one of two
// threads with a quarter of the work.

// CHECK-LABEL: func.func @few_columns
//       CHECK:   %[[PACKED:.*]] = memref.alloc() {{.*}} : memref<5x784x24xf32>
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c5) step (%c1) {
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c32) step (%c1) {
//       CHECK:     scf.for {{.*}} -> (vector<8xf32>
func.func @few_columns(%a: memref<128x784xf32>, %b: memref<784x120xf32>, %c: memref<128x120xf32>) {
  linalg.matmul ins(%a, %b : memref<128x784xf32>, memref<784x120xf32>) outs(%c : memref<128x120xf32>)
  return
}

// -----

// Columns of one panel are packed in the task, which is of 64 rows or more, and as long as
// the others: 78 of 300.

// CHECK-LABEL: func.func @one_panel
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c4) step (%c1) {
//       CHECK:     arith.muli %{{.*}}, %c13
func.func @one_panel(%a: memref<300x300xf32>, %b: memref<300x16xf32>, %c: memref<300x16xf32>) {
  linalg.matmul ins(%a, %b : memref<300x300xf32>, memref<300x16xf32>) outs(%c : memref<300x16xf32>)
  return
}

// -----

// From eight panels on, a task packs one of them, and from 384 columns on 64 of them or more:
// 256 columns are 16 panels, 768 are 32.

// CHECK-LABEL: func.func @columns
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c16) step (%c1) {
// CHECK-LABEL: func.func @many_columns
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c16) step (%c1) {
func.func @columns(%a: memref<128x512xf32>, %b: memref<512x256xf32>, %c: memref<128x256xf32>) {
  linalg.matmul ins(%a, %b : memref<128x512xf32>, memref<512x256xf32>) outs(%c : memref<128x256xf32>)
  return
}
func.func @many_columns(%a: memref<128x512xf32>, %b: memref<512x768xf32>, %c: memref<128x768xf32>) {
  linalg.matmul ins(%a, %b : memref<128x512xf32>, memref<512x768xf32>) outs(%c : memref<128x768xf32>)
  return
}
