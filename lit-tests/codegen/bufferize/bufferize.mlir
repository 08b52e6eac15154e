// RUN: halo-opt %s --halo-bufferize | FileCheck %s

// Every op writes to the buffer of its destination, whoever reads it.
// CHECK-LABEL: func.func @in_place(
//  CHECK-SAME:   %[[X:[^ :]*]]: memref<4xf32>, %[[I:[^ :]*]]: index, %[[F:[^ :]*]]: f32) -> memref<4xf32>
//   CHECK-NOT:   memref.copy
//       CHECK:   memref.store %[[F]], %[[X]][%[[I]]]
//       CHECK:   return %[[X]]
func.func @in_place(%x: tensor<4xf32>, %i: index, %f: f32) -> tensor<4xf32> {
  %0 = tensor.insert %f into %x[%i] : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @copy(
//  CHECK-SAME:   %[[X:[^ :]*]]: memref<4xf32>
//       CHECK:   %[[COPY:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
//       CHECK:   memref.copy %[[X]], %[[COPY]]
func.func @copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  return %0 : tensor<4xf32>
}
