// RUN: halo-opt %s --halo-cse | FileCheck %s

// Upstream's pass merges the same ops.
// RUN: halo-opt %s --cse | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// Of ops that differ in their regions alone, the equal ones are merged.
// CHECK-LABEL: func.func @regions(
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3.0
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[THREE]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[A]], %[[B]], %[[A]]
func.func @regions(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %again = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %two : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %three : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  // A constant that is merged first.
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %again : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The values that regions read from outside are merged first.
// CHECK-LABEL: func.func @captured(
// CHECK: %[[A:.*]] = tensor.extract
// CHECK-NOT: tensor.extract
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: linalg.yield %[[A]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]], %[[R]]
func.func @captured(%x: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = tensor.extract %x[] : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %b = tensor.extract %x[] : tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    linalg.yield %b : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// An attribute of the program stays.
// CHECK-LABEL: func.func @attribute(
// CHECK: scf.if
// CHECK: } {note}
func.func @attribute(%c: i1, %x: f32, %y: f32) -> f32 {
  %0 = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  } {note}
  return %0 : f32
}
