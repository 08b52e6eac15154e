// RUN: halo-opt %s --split-input-file --halo-rematerialize | FileCheck %s
// RUN: halo-opt %s --split-input-file --halo-rematerialize=explain --verify-diagnostics -o /dev/null

#id = affine_map<(d0) -> (d0)>

// The square follows from the activation that its user reads too.
// CHECK-LABEL: func.func @square(
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: linalg.yield %{{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%arg1, %[[T]] : tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[G:.*]]: f32, %[[A:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[G]], %[[S]] : f32
// CHECK-NEXT: arith.addf %[[P]], %[[A]] : f32
func.func @square(%x: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<8xf32> {
  %e0 = tensor.empty() : tensor<8xf32>
  // expected-remark @+1 {{result #1 is not stored: its users compute it again, by one cheap op from others}}
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e0, %e0 : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    %t = math.tanh %in : f32
    %s = arith.mulf %t, %t : f32
    linalg.yield %t, %s : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  // expected-note @+1 {{a user}}
  %1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%g, %0#1, %0#0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e0 : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %o: f32):
    %p = arith.mulf %a, %s : f32
    %q = arith.addf %p, %t : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A function that takes longer than a load is not computed twice, and neither is a result
// of the program, or what follows from a value that the user does not read.
// CHECK-LABEL: func.func @kept(
// CHECK: linalg.generic
// CHECK: linalg.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32
func.func @kept(%x: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e0 = tensor.empty() : tensor<8xf32>
  // expected-remark @+2 {{result #1 is not computed again in its users: from what they read, it takes more than a few cheap ops}}
  // expected-remark @+1 {{result #2 is not computed again in its users: not all users are elementwise ops that read the elements which they compute}}
  %0:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e0, %e0, %e0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32, %o2: f32):
    %n = arith.negf %in : f32
    %t = math.tanh %n : f32
    %s = arith.mulf %t, %t : f32
    linalg.yield %n, %t, %s : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%g, %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e0 : tensor<8xf32>) {
  ^bb0(%a: f32, %n: f32, %t: f32, %o: f32):
    %p = arith.mulf %a, %n : f32
    %q = arith.addf %p, %t : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %1, %0#2 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The user does not read what the square follows from.
// CHECK-LABEL: func.func @other_values(
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @other_values(%x: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e0 = tensor.empty() : tensor<8xf32>
  // expected-remark @+1 {{result #1 is not computed again in its users: not all users read the values that it follows from}}
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e0, %e0 : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    %t = arith.negf %in : f32
    %s = arith.mulf %t, %t : f32
    linalg.yield %t, %s : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%g, %0#1 : tensor<8xf32>, tensor<8xf32>) outs(%e0 : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %p = arith.mulf %a, %s : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  return %0#0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// An op that updates a tensor has no place for other elements.
// CHECK-LABEL: func.func @update(
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @update(%x: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<8xf32> {
  %e0 = tensor.empty() : tensor<8xf32>
  // expected-remark @+1 {{result #1 is not computed again in its users: the op reads what it overwrites}}
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%g, %e0 : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%in: f32, %o0: f32, %o1: f32):
    %t = math.powf %in, %o0 : f32
    %s = arith.mulf %t, %t : f32
    linalg.yield %t, %s : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0#0, %0#1 : tensor<8xf32>, tensor<8xf32>) outs(%e0 : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %p = arith.mulf %a, %s : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
