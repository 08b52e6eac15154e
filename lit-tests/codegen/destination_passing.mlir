// RUN: halo-opt %s --split-input-file --halo-destination-passing | FileCheck %s

#map = affine_map<(d0) -> (d0)>

// The op that computes the result writes to the result's buffer.
// CHECK-LABEL: func.func private @entry(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[X:.*]]: tensor<4xf32> {bufferization.writable = false}, %[[OUT:.*]]: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> attributes {halo.entry}
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[OUT]] : tensor<4xf32>)
// CHECK: bufferization.materialize_in_destination %[[RESULT]] in %[[OUT]]
func.func @entry(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A value with two uses has a buffer of its own: another result may overwrite
// the first one's.
// CHECK-LABEL: func.func private @twice(
// CHECK: %[[EMPTY:.*]] = tensor.empty
// CHECK: linalg.fill {{.*}} outs(%[[EMPTY]]
func.func @twice(%s: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The destination is seen through reshapes.
// CHECK-LABEL: func.func private @reshaped(
// CHECK-SAME: %[[OUT:[^ ]*]]: tensor<2x2xf32> {bufferization.writable = true})
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[OUT]]
// CHECK: linalg.fill {{.*}} outs(%[[FLAT]] : tensor<4xf32>)
func.func @reshaped(%s: f32) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

// A loop writes what it carries over what it carried.
// CHECK-LABEL: func.func private @loop(
// CHECK: ^bb0(%[[CARRIED:.*]]: tensor<f32>):
// CHECK: %[[NEXT:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[CARRIED]]
// CHECK: scf.yield %[[NEXT]]
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  %0 = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %s = tensor.extract %a[] : tensor<f32>
    %c = arith.constant 1.0 : f32
    %p = arith.cmpf ogt, %s, %c : f32
    scf.condition(%p) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %s = tensor.extract %a[] : tensor<f32>
    %h = math.sqrt %s : f32
    %n = tensor.from_elements %h : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// The branches of a conditional write to one tensor.
// CHECK-LABEL: func.func private @branches(
// CHECK: %[[PLACE:.*]] = tensor.empty() : tensor<f32>
// CHECK: scf.if
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[PLACE]]
// CHECK: else
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[PLACE]]
func.func @branches(%p: i1, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = scf.if %p -> tensor<f32> {
    scf.yield %x : tensor<f32>
  } else {
    scf.yield %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// Values that change places are copied before the first is written.
// CHECK-LABEL: func.func private @swap(
// CHECK: ^bb0(%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>):
// CHECK: %[[OLD_B:.*]] = bufferization.alloc_tensor() copy(%[[B]])
// CHECK: %[[OLD_A:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: bufferization.materialize_in_destination %[[OLD_B]] in %[[A]]
// CHECK: bufferization.materialize_in_destination %[[OLD_A]] in %[[B]]
func.func @swap(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.while (%a = %x, %b = %y) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.condition(%p) %a, %b : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
