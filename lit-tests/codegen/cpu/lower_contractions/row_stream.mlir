// RUN: halo-opt %s --halo-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s

// Rows that take 2 MB for each of two tasks are divided between them.

// CHECK-LABEL: func.func @in_parts
//       CHECK:   scf.parallel (%{{.*}}) = (%c0) to (%c2)
//   CHECK-NOT:   memref.prefetch
//       CHECK:   vector.fma
func.func @in_parts(%a: memref<1x768xf32>, %b: memref<768x2304xf32>, %c: memref<1x2304xf32>) {
  linalg.matmul ins(%a, %b : memref<1x768xf32>, memref<768x2304xf32>) outs(%c : memref<1x2304xf32>)
  return
}

// -----

// Parts of short rows are read slower than whole rows.

// CHECK-LABEL: func.func @short_rows
//   CHECK-NOT:   scf.parallel
//       CHECK:   vector.fma
func.func @short_rows(%a: memref<1x3072xf32>, %b: memref<3072x768xf32>, %c: memref<1x768xf32>) {
  linalg.matmul ins(%a, %b : memref<1x3072xf32>, memref<3072x768xf32>) outs(%c : memref<1x768xf32>)
  return
}

// -----

// Where the buffers of a function do not fit in the caches, the rows after those that are
// multiplied are prefetched, so that parts of short rows are as fast.

// CHECK-LABEL: func.func @from_memory
//  CHECK-SAME:   %{{.*}}: memref<1x3072xf32>, %[[B:.*]]: memref<3072x768xf32>
//       CHECK:   scf.parallel (%{{.*}}) = (%c0) to (%c2)
//       CHECK:     scf.for %[[K:.*]] = %c0 to %c3072 step %c8
//       CHECK:       scf.for %[[COLUMN:.*]] =
//       CHECK:         %[[NEXT:.*]] = arith.addi %[[K]], %c8
//       CHECK:         %[[ROW:.*]] = arith.minsi %[[NEXT]], %c3071
//       CHECK:         memref.prefetch %[[B]][%[[ROW]], %[[COLUMN]]], read, locality<2>, data
//       CHECK:         vector.fma
func.func @from_memory(%a: memref<1x3072xf32>, %b: memref<3072x768xf32>, %c: memref<1x768xf32>, %other: memref<4096x1024xf32>) {
  linalg.matmul ins(%a, %b : memref<1x3072xf32>, memref<3072x768xf32>) outs(%c : memref<1x768xf32>)
  return
}

// -----

// A function that holds a product of its caller goes by the buffers of the caller.

// CHECK-LABEL: func.func private @of_caller
//       CHECK:   memref.prefetch
func.func private @of_caller(%a: memref<1x3072xf32>, %b: memref<3072x768xf32>, %c: memref<1x768xf32>) attributes {halo.caller_bytes = 100000000 : i64} {
  linalg.matmul ins(%a, %b : memref<1x3072xf32>, memref<3072x768xf32>) outs(%c : memref<1x768xf32>)
  return
}
