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

// A handler gets bare pointers: a part with gaps is copied, a whole buffer is
// passed as it is.
// CHECK-LABEL: func.func @custom_call(
//  CHECK-SAME:   %[[X:[^ :]*]]: memref<8x4xf32>, %[[WHOLE:[^ :]*]]: memref<2xf32>, %[[PLACE:[^ :]*]]: memref<2xf32>)
//       CHECK:   %[[PART:.*]] = memref.subview %[[X]][0, 1] [8, 2] [1, 1]
//       CHECK:   %[[COPY:.*]] = memref.alloc() {{.*}}: memref<8x2xf32>
//       CHECK:   memref.copy %[[PART]], %[[COPY]]
//       CHECK:   halo.custom_call "f"(%[[COPY]], %[[WHOLE]]) outs(%[[PLACE]] : memref<2xf32>) {{.*}} : (memref<8x2xf32>, memref<2xf32>) -> ()
func.func @custom_call(%x: tensor<8x4xf32>, %whole: tensor<2xf32>, %place: memref<2xf32>) {
  %part = tensor.extract_slice %x[0, 1] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  halo.custom_call "f"(%part, %whole) outs(%place : memref<2xf32>) {operand_types = [tensor<8x2xf32>, tensor<2xf32>], result_types = [tensor<2xf32>]} : (tensor<8x2xf32>, tensor<2xf32>) -> ()
  return
}

// A custom call writes a result of the entry where it is to be, unless something else is
// there, or in its own buffer, before it is copied.
// CHECK-LABEL: func.func @result_of_call(
//  CHECK-SAME:   %[[X:[^ :]*]]: memref<4xf32>, %[[OUT:[^ :]*]]: memref<4xf32>)
//   CHECK-NOT:   memref.alloc
//       CHECK:   halo.custom_call "f"(%[[X]]) outs(%[[OUT]] : memref<4xf32>)
//   CHECK-NOT:   memref.copy
//       CHECK:   return %[[OUT]]
func.func @result_of_call(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> attributes {halo.entry} {
  %place = memref.alloc() : memref<4xf32>
  halo.custom_call "f"(%x) outs(%place : memref<4xf32>) {operand_types = [tensor<4xf32>], result_types = [tensor<4xf32>]} : (tensor<4xf32>) -> ()
  %0 = bufferization.to_tensor %place restrict writable : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.materialize_in_destination %0 in %out : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @result_that_is_read(
//       CHECK:   %[[PLACE:.*]] = memref.alloc()
//       CHECK:   halo.custom_call "f"(%{{.*}}) outs(%[[PLACE]] : memref<4xf32>)
//       CHECK:   memref.copy %[[PLACE]], %{{.*}}
func.func @result_that_is_read(%x: tensor<4xf32>, %i: index, %out: tensor<4xf32>) -> (tensor<4xf32>, f32) attributes {halo.entry} {
  %place = memref.alloc() : memref<4xf32>
  halo.custom_call "f"(%x) outs(%place : memref<4xf32>) {operand_types = [tensor<4xf32>], result_types = [tensor<4xf32>]} : (tensor<4xf32>) -> ()
  %before = tensor.extract %out[%i] : tensor<4xf32>
  %0 = bufferization.to_tensor %place restrict writable : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.materialize_in_destination %0 in %out : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %before : tensor<4xf32>, f32
}
