// RUN: halo-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(halo-detensorize),canonicalize,cse)' | FileCheck %s

#scalar = affine_map<() -> ()>
#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// What the loop carries, its condition and its next value are scalars.
// CHECK-LABEL: func.func @counter(
// CHECK:         %[[COUNT:.*]] = scf.while (%[[I:.*]] = %c0_i32) : (i32) -> i32 {
// CHECK-NEXT:      %[[MORE:.*]] = arith.cmpi slt, %[[I]], %c10_i32 : i32
// CHECK-NEXT:      scf.condition(%[[MORE]]) %[[I]] : i32
// CHECK:         ^bb0(%[[J:.*]]: i32):
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[J]], %c1_i32 : i32
// CHECK-NEXT:      scf.yield %[[NEXT]] : i32
// CHECK:         tensor.insert %[[COUNT]] into
// CHECK-NOT:     linalg.generic
func.func @counter() -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %ten = arith.constant dense<10> : tensor<i32>
  %one = arith.constant dense<1> : tensor<i32>
  %e = tensor.empty() : tensor<i32>
  %b = tensor.empty() : tensor<i1>
  %0 = scf.while (%i = %zero) : (tensor<i32>) -> tensor<i32> {
    %1 = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%i, %ten : tensor<i32>, tensor<i32>) outs(%b : tensor<i1>) {
    ^bb0(%x: i32, %y: i32, %o: i1):
      %2 = arith.cmpi slt, %x, %y : i32
      linalg.yield %2 : i1
    } -> tensor<i1>
    %more = tensor.extract %1[] : tensor<i1>
    scf.condition(%more) %i : tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>):
    %1 = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%i, %one : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
      %2 = arith.addi %x, %y : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    scf.yield %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// A structured op takes a carried scalar from around its body, and a sum that
// it carries on is read from the tensor that it was made in.
// CHECK-LABEL: func.func @captured(
// CHECK:         scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}, %[[X:.*]] = %{{.*}}) -> (f32, tensor<4xf32>)
// CHECK:           %[[Y:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], {{.*}}} ins(%[[X]] : tensor<4xf32>) outs(
// CHECK-NEXT:      ^bb0(%[[A:[^:]*]]: f32, %{{[^:]*}}: f32):
// CHECK-NEXT:        arith.mulf %[[A]], %[[S]] : f32
// CHECK:           %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK:           %[[NEXT:.*]] = tensor.extract %[[SUM]][] : tensor<f32>
// CHECK:           scf.yield %[[NEXT]], %[[Y]] : f32, tensor<4xf32>
func.func @captured(%s: tensor<f32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : tensor<f32>
  %e = tensor.empty() : tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %s, %v = %x) -> (tensor<f32>, tensor<4xf32>) {
    %1 = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%v, %t : tensor<4xf32>, tensor<f32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %2 = arith.mulf %a, %b : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    %3 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%1 : tensor<4xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%a: f32, %o: f32):
      %2 = arith.addf %a, %o : f32
      linalg.yield %2 : f32
    } -> tensor<f32>
    scf.yield %3, %1 : tensor<f32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

#scalar = affine_map<() -> ()>

// A conditional returns a scalar.
// CHECK-LABEL: func.func @branches(
// CHECK:         %[[V:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:         %[[W:.*]] = arith.muli %[[V]], %[[V]] : i32
// CHECK:         tensor.extract %{{.*}}[%{{.*}}] : tensor<8xf32>
// CHECK-NOT:     linalg.generic
func.func private @number() -> tensor<i32>
func.func @branches(%p: i1, %b: tensor<i32>, %x: tensor<8xf32>) -> f32 {
  %e = tensor.empty() : tensor<i32>
  %0 = scf.if %p -> (tensor<i32>) {
    %a = func.call @number() : () -> tensor<i32>
    scf.yield %a : tensor<i32>
  } else {
    scf.yield %b : tensor<i32>
  }
  %1 = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%0, %0 : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%x0: i32, %y: i32, %o: i32):
    %2 = arith.muli %x0, %y : i32
    linalg.yield %2 : i32
  } -> tensor<i32>
  %3 = tensor.extract %1[] : tensor<i32>
  %4 = arith.index_cast %3 : i32 to index
  %5 = tensor.extract %x[%4] : tensor<8xf32>
  return %5 : f32
}

// -----

#scalar = affine_map<() -> ()>
#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>

// A number that is computed from tensors for tensors stays one.
// CHECK-LABEL: func.func @mean(
// CHECK-NOT:     tensor.extract
// CHECK-COUNT-3: linalg.generic
func.func @mean(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %four = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<f32>
  %o = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.addf %a, %s : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%0 : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %1 = arith.divf %a, %four : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %3 = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%x, %2 : tensor<4xf32>, tensor<f32>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %1 = arith.subf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

#scalar = affine_map<() -> ()>

// A bound is read before the loop, so that the loop can be seen to count.
// CHECK-LABEL: func.func @bound(
// CHECK-SAME:    %[[N:[^ :]*]]: tensor<i32>
// CHECK:         %[[M:.*]] = tensor.extract %[[N]][] : tensor<i32>
// CHECK:         scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> i32 {
// CHECK-NEXT:      arith.cmpi slt, %[[I]], %[[M]] : i32
func.func @bound(%n: tensor<i32>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %one = arith.constant 1 : i32
  %b = tensor.empty() : tensor<i1>
  %e = tensor.empty() : tensor<i32>
  %0 = scf.while (%i = %zero) : (tensor<i32>) -> tensor<i32> {
    %1 = linalg.generic {indexing_maps = [#scalar, #scalar, #scalar], iterator_types = []} ins(%i, %n : tensor<i32>, tensor<i32>) outs(%b : tensor<i1>) {
    ^bb0(%x: i32, %y: i32, %o: i1):
      %2 = arith.cmpi slt, %x, %y : i32
      linalg.yield %2 : i1
    } -> tensor<i1>
    %more = tensor.extract %1[] : tensor<i1>
    scf.condition(%more) %i : tensor<i32>
  } do {
  ^bb0(%i: tensor<i32>):
    %1 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%i : tensor<i32>) outs(%e : tensor<i32>) {
    ^bb0(%x: i32, %o: i32):
      %2 = arith.addi %x, %one : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    scf.yield %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}
