// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-flatten-dynamic-buffers),cse)' --split-input-file | FileCheck %s

// The outermost size is no part of an address.

// CHECK-LABEL: func.func @rows
//  CHECK-SAME:   (%[[X:.*]]: memref<?x8xf32>, %[[N:.*]]: index)
//   CHECK-NOT:   memref.dim
//       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[N]]
//       CHECK:     memref.store %{{.*}}, %[[X]][%[[I]], %{{.*}}] : memref<?x8xf32>
func.func @rows(%x: memref<?x8xf32>, %n: index) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  halo.plan_sizes() {messages = []}
  %rows = memref.dim %x, %c0 : memref<?x8xf32>
  scf.for %i = %c0 to %rows step %c1 {
    memref.store %zero, %x[%i, %c1] : memref<?x8xf32>
  }
  return
}

// -----

// The sizes of results are the planned ones.

// CHECK-LABEL: func.func @places
//  CHECK-SAME:   (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index, %[[Y:.*]]: memref<?xf32>)
//   CHECK-DAG:   %[[ROW:.*]] = arith.muli %c8, %[[M]]
//       CHECK:   scf.for %[[I:.*]] = %{{.*}} to %[[N]]
//       CHECK:     %[[FIRST:.*]] = arith.muli %[[I]], %[[ROW]]
//       CHECK:     %[[PLACE:.*]] = arith.addi %[[FIRST]], %c11
//       CHECK:     vector.load %[[X]][%[[PLACE]]] : memref<?xf32>, vector<4xf32>
//       CHECK:     vector.store %{{.*}}, %[[Y]][%[[PLACE]]] : memref<?xf32>, vector<4xf32>
func.func @places(%x: memref<?x?x8xf32>, %n: index, %m: index, %y: memref<?x?x8xf32>)
    attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  halo.plan_sizes(%n, %m) {messages = []}
  %rows = memref.dim %y, %c0 : memref<?x?x8xf32>
  scf.for %i = %c0 to %rows step %c1 {
    %0 = vector.load %x[%i, %c1, %c3] : memref<?x?x8xf32>, vector<4xf32>
    vector.store %0, %y[%i, %c1, %c3] : memref<?x?x8xf32>, vector<4xf32>
  }
  return
}

// -----

// Parts and reshapes are places in the allocated buffer.

// CHECK-LABEL: func.func @views
//       CHECK:   %[[SIZE:.*]] = arith.muli
//       CHECK:   %[[BUFFER:.*]] = memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?xf32>
//   CHECK-NOT:   memref.subview
//       CHECK:   memref.store %{{.*}}, %[[BUFFER]][%{{.*}}] : memref<?xf32>
//       CHECK:   memref.load %[[BUFFER]][%{{.*}}] : memref<?xf32>
func.func @views(%n: index, %m: index) attributes {halo.entry} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  halo.plan_sizes() {messages = []}
  %0 = memref.alloc(%n, %m) : memref<?x?xf32>
  %1 = memref.subview %0[%c1, 2] [%n, 4] [1, 2] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 2], offset: ?>>
  memref.store %zero, %1[%c1, %c1] : memref<?x4xf32, strided<[?, 2], offset: ?>>
  %2 = memref.collapse_shape %0 [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %3 = memref.load %2[%c1] : memref<?xf32>
  memref.store %3, %1[%c1, %c1] : memref<?x4xf32, strided<[?, 2], offset: ?>>
  return
}

// -----

// The plan of sizes is before the first use of a buffer, and views of a destination are no results.

// CHECK-LABEL: func.func private @plan_first
//  CHECK-SAME:   %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %{{[^:]*}}: memref<?xf32>)
//   CHECK-NOT:   ->
//       CHECK:   %[[SUM:.*]] = arith.addi %[[N]], %[[M]]
//       CHECK:   halo.plan_sizes(%[[SUM]], %[[M]])
//       CHECK:   memref.store
//       CHECK:   return
//  CHECK-NEXT: }
func.func private @plan_first(%n: index, %m: index, %x: memref<?x?xf32>) -> memref<?x?xf32> attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %x[%c0, %c0] : memref<?x?xf32>
  %sum = arith.addi %n, %m : index
  halo.plan_sizes(%sum, %m) {messages = []}
  %0 = memref.collapse_shape %x [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [%m, %sum] : memref<?xf32> into memref<?x?xf32>
  return %1 : memref<?x?xf32>
}
