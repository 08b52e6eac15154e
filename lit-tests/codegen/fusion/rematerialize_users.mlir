// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-fuse-multi-output,halo-rematerialize))' | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#scalar = affine_map<(d0) -> ()>

// Of two users of a value that is computed again, one reads the other. Joined ops leave uses in
// an order that no text has.
// CHECK-LABEL: func.func @users_of_users
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<i32>, tensor<1xf32>)
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[P]]
// CHECK: %[[U:.*]]:2 = linalg.generic {{.*}} ins(%[[P]], %arg2, %[[V]] : tensor<1xf32>, tensor<f32>, tensor<f32>)
// CHECK: linalg.generic {{.*}} ins(%[[U]]#0, %[[P]], %arg3 : tensor<1xi1>, tensor<1xf32>, tensor<1xf32>)
func.func @users_of_users(%ok: tensor<i32>, %x: tensor<1xf32>, %s: tensor<f32>, %other: tensor<1xf32>)
    -> (tensor<1xf32>, tensor<i32>) {
  %nan = arith.constant 0x7FC00000 : f32
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1xf32>
  %0 = linalg.generic {indexing_maps = [#scalar, #id, #id], iterator_types = ["parallel"]}
    ins(%ok, %x : tensor<i32>, tensor<1xf32>) outs(%e : tensor<1xf32>) {
  ^bb0(%a: i32, %b: f32, %out: f32):
    %t = arith.cmpi eq, %a, %none : i32
    %r = arith.select %t, %b, %nan : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  %c = tensor.empty() : tensor<1xi1>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%0 : tensor<1xf32>) outs(%c : tensor<1xi1>) {
  ^bb0(%a: f32, %out: i1):
    %r = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %r : i1
  } -> tensor<1xi1>
  %v = tensor.collapse_shape %0 [] : tensor<1xf32> into tensor<f32>
  %2 = linalg.generic {indexing_maps = [#id, #scalar, #scalar, #id], iterator_types = ["parallel"]}
    ins(%0, %s, %v : tensor<1xf32>, tensor<f32>, tensor<f32>) outs(%c : tensor<1xi1>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %out: i1):
    %t = arith.mulf %b, %d : f32
    %r = arith.cmpf oge, %a, %t : f32
    linalg.yield %r : i1
  } -> tensor<1xi1>
  %n = tensor.empty() : tensor<1xi32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%1, %2 : tensor<1xi1>, tensor<1xi1>) outs(%n : tensor<1xi32>) {
  ^bb0(%a: i1, %b: i1, %out: i32):
    %t = arith.andi %a, %b : i1
    %r = arith.extui %t : i1 to i32
    linalg.yield %r : i32
  } -> tensor<1xi32>
  %count = tensor.collapse_shape %3 [] : tensor<1xi32> into tensor<i32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
    ins(%1, %2, %0, %other : tensor<1xi1>, tensor<1xi1>, tensor<1xf32>, tensor<1xf32>)
    outs(%e : tensor<1xf32>) {
  ^bb0(%a: i1, %b: i1, %d: f32, %f: f32, %out: f32):
    %t = arith.andi %a, %b : i1
    %r = arith.select %t, %d, %f : f32
    linalg.yield %r : f32
  } -> tensor<1xf32>
  return %4, %count : tensor<1xf32>, tensor<i32>
}
