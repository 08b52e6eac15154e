// RUN: halo-opt %s --halo-lower-contractions=machine=x86-64-v3:second-cache=1048576 --canonicalize --cse --split-input-file | FileCheck %s

// A thread computes as many tasks as another one. Columns are packed once for all, and a task is
// eight tiles of rows or fewer, and a part of the columns if there are few rows: four times three
// tasks for 32 tiles of rows.

// CHECK-LABEL: func.func @few_columns
//       CHECK:   %[[PACKED:.*]] = memref.alloc() {{.*}} : memref<5x208x24xf32>
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c5) step (%c1) {
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c12) step (%c1) {
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

// -----

// Tasks of the same columns, four of twelve panels here, follow one another: two threads have nine
// tasks each.

// CHECK-LABEL: func.func @rows_of_columns
//       CHECK:   scf.parallel ({{.*}}) = (%c0) to (%c12) step (%c1) {
//       CHECK:   } {halo.packing}
//       CHECK:   scf.parallel (%[[TASK:.*]]) = (%c0) to (%c18) step (%c1) {
//       CHECK:     %[[ROW:.*]] = arith.remui %[[TASK]], %c6
//       CHECK:     %[[BLOCK:.*]] = arith.divui %[[TASK]], %c6
//       CHECK:     %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c4
//       CHECK:     %[[END:.*]] = arith.addi %[[FIRST]], %c4
//       CHECK:     scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %c1
func.func @rows_of_columns(%a: memref<196x2048xf32>, %b: memref<2048x192xf32>, %c: memref<196x192xf32>) {
  linalg.matmul ins(%a, %b : memref<196x2048xf32>, memref<2048x192xf32>) outs(%c : memref<196x192xf32>)
  return
}

// -----

// What is packed at a time may be fewer panels the last time, here 76 in place of 77: they are
// divided evenly, too.

// CHECK-LABEL: func.func @last_columns
//       CHECK:   memref.alloc() {{.*}} : memref<77x256x16xf32>
//       CHECK:   %[[PANELS:.*]] = arith.subi
//       CHECK:   } {halo.packing}
//       CHECK:   %[[BLOCKS:.*]] = arith.ceildivui %[[PANELS]], %c{{[0-9]+}}
//       CHECK:   %[[LENGTH:.*]] = arith.ceildivui %[[PANELS]], %[[BLOCKS]]
//       CHECK:   scf.parallel (%[[TASK:.*]]) = (%c0) to (%{{.*}}) step (%c1) {
//       CHECK:     %[[BLOCK:.*]] = arith.divui %[[TASK]], %c8
//       CHECK:     arith.muli %[[BLOCK]], %[[LENGTH]]
func.func @last_columns(%a: memref<256x768xf32>, %b: memref<768x2440xf32>, %c: memref<256x2440xf32>) {
  linalg.matmul ins(%a, %b : memref<256x768xf32>, memref<768x2440xf32>) outs(%c : memref<256x2440xf32>)
  return
}
