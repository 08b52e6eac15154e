// RUN: halo-opt %s --halo-outline-kernels --split-input-file | FileCheck %s

// A large copy is a loop of several tasks; what the caller has in place is not copied.
// CHECK-LABEL: func.func @large
//       CHECK:   halo.parallel_call @large_kernel_0
//   CHECK-NOT:   memref.copy
//       CHECK:   return
func.func @large(%a: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {halo.entry} {
  memref.copy %a, %out : memref<4096x1024xf32> to memref<4096x1024xf32>
  return
}

// -----

// CHECK-LABEL: func.func @in_place
//  CHECK-SAME:   %[[A:[^ :]*]]: memref<4xf32> {{.*}}, %[[B:[^ :]*]]: memref<4xf32>, %[[OUT:[^ :]*]]: memref<4xf32>
//       CHECK:   %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
//       CHECK:   %[[TO:.*]] = memref.extract_aligned_pointer_as_index %[[OUT]]
//       CHECK:   %[[APART:.*]] = arith.cmpi ne, %[[FROM]], %[[TO]]
//       CHECK:   scf.if %[[APART]] {
//  CHECK-NEXT:     memref.copy %[[A]], %[[OUT]]
//  CHECK-NEXT:   }
//  CHECK-NEXT:   memref.copy %[[B]], %[[OUT]]
func.func @in_place(%a: memref<4xf32> {tf.aliasing_output = 0 : i32}, %b: memref<4xf32>, %out: memref<4xf32>) attributes {halo.entry} {
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  return
}
