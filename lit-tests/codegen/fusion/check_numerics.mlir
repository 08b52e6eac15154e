// RUN: halo-opt %s --halo-check-numerics --canonicalize | FileCheck %s
// RUN: halo-opt %s --halo-check-numerics='nan=false' --canonicalize | FileCheck %s --check-prefix=INF

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// An element that is not finite is marked, unless the operand is not either, and the marks are
// searched.
// CHECK-LABEL: func.func @log(
// CHECK: %[[L:.*]] = linalg.generic
// CHECK: %[[V:.*]] = math.log %[[IN:.*]] : f32
// CHECK: %[[RESULT:.*]] = arith.minsi %{{.*}}, %{{.*}} : i32
// CHECK: %[[OPERAND:.*]] = arith.maxsi %{{.*}}, %{{.*}} : i32
// CHECK: %[[FAULT:.*]] = arith.cmpi sgt, %[[RESULT]], %[[OPERAND]] : i32
// CHECK: %[[MARKED:.*]] = arith.select %[[FAULT]], %{{.*}}, %[[V]] : f32
// CHECK: linalg.yield %[[MARKED]] : f32
// CHECK: %[[FOUND:.*]] = linalg.generic {{.*}} ins(%[[L]] : tensor<8xf32>) outs(%{{.*}} : tensor<i32>)
// CHECK: arith.ori
// CHECK: %[[BITS:.*]] = tensor.extract %[[FOUND]][] : tensor<i32>
// CHECK: %[[ANY:.*]] = arith.cmpi ne, %[[BITS]], %{{.*}} : i32
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: halo.custom_call "halo.numerics_fault"()
// CHECK: return %[[L]] : tensor<8xf32>
func.func @log(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = math.log %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Nothing is made by ops that only choose and move elements, and a maximum makes nothing.
// CHECK-LABEL: func.func @moved(
// CHECK-NOT: arith.cmpi
// CHECK-NOT: halo.custom_call
// CHECK: return
func.func @moved(%x: tensor<8xf32>, %p: tensor<8xi1>, %init: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%p, %x : tensor<8xi1>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%c: i1, %in: f32, %out: f32):
    %1 = arith.select %c, %in, %low : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%0 : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %out, %in : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0, %2 : tensor<8xf32>, tensor<f32>
}

// A sum is searched when it is complete. Its terms are marked only if an op of the body may lose
// an infinity: here 1 / x.
// CHECK-LABEL: func.func @sum(
// CHECK: %[[T:.*]] = arith.divf
// CHECK: %[[MARKED:.*]] = arith.select %{{.*}}, %{{.*}}, %[[T]] : f32
// CHECK-NEXT: arith.addf %{{.*}}, %[[MARKED]] : f32
// CHECK: linalg.generic {{.*}}iterator_types = []
// INF-LABEL: func.func @sum(
// INF: arith.cmpi eq
func.func @sum(%x: tensor<8xf32>, %init: tensor<f32>) -> tensor<f32> {
  %one = arith.constant 1.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%x : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    %t = arith.divf %one, %e : f32
    %s = arith.addf %out, %t : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// Scalars in a loop are tested in each iteration.
// CHECK-LABEL: func.func @scalars(
// CHECK: scf.for
// CHECK: %[[Q:.*]] = arith.divf
// CHECK: %[[FAULT:.*]] = arith.cmpi sgt
// CHECK: scf.if %[[FAULT]] {
// CHECK-NEXT: halo.custom_call "halo.numerics_fault"()
// CHECK: scf.yield %[[Q]] : f32
func.func @scalars(%x: f32, %y: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f32) {
    %q = arith.divf %v, %y : f32
    scf.yield %q : f32
  }
  return %0 : f32
}
