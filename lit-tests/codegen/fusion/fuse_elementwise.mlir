// RUN: halo-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(halo-fuse-elementwise),canonicalize)" | FileCheck %s
// RUN: halo-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(halo-fuse-elementwise{explain=true}))" --verify-diagnostics -o /dev/null

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @chain
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8xf32>)
// CHECK: arith.addf
// CHECK: math.tanh
// CHECK-NOT: linalg.generic
func.func @chain(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %3 = arith.addf %x, %y : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %3 = math.tanh %x : f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>

// The exponential of a row is not computed again for every row of the result.
// CHECK-LABEL: func.func @broadcast_of_arithmetic
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.mulf
func.func @broadcast_of_arithmetic(%a: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @+1 {{is not fused into its user: the user would compute elements more than once}}
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %2 = math.exp %x : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  // expected-note @+1 {{the user}}
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %0 : tensor<4x8xf32>, tensor<8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %2 = arith.mulf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// A matrix product stays one.
// CHECK-LABEL: func.func @contraction
// CHECK: linalg.generic
// CHECK: math.tanh
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
func.func @contraction(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-remark @+1 {{is not fused into its user: the user reads elements more than once}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %2 = math.tanh %x : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  // expected-note @+1 {{the user}}
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#one = affine_map<(d0) -> (d0)>

// A few ops on integers are computed again for each element of a row.
// CHECK-LABEL: func.func @positions
// CHECK-COUNT-1: linalg.generic
// CHECK-SAME: ins(%arg1 : tensor<4xi32>)
// CHECK: arith.addi
// CHECK: arith.select
// CHECK: tensor.extract %arg0
// CHECK-NOT: linalg.generic
func.func @positions(%table: tensor<100x8xf32>, %numbers: tensor<4xi32>) -> tensor<4x8xf32> {
  %hundred = arith.constant 100 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%numbers : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %2 = arith.addi %x, %hundred : i32
    %3 = arith.cmpi slt, %x, %zero : i32
    %4 = arith.select %3, %2, %x : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  %f = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4xi32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%x: i32, %o: f32):
    %2 = arith.index_cast %x : i32 to index
    %3 = linalg.index 1 : index
    %4 = tensor.extract %table[%2, %3] : tensor<100x8xf32>
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

#swap = affine_map<(d0, d1, d2) -> (d1, d0)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// One that adds to what it replaces runs once for each element.
// CHECK-LABEL: func.func @accumulates
// CHECK: linalg.generic
// CHECK: arith.addi
// CHECK: linalg.generic
// CHECK: arith.muli
func.func @accumulates(%a: tensor<2x3xi32>, %b: tensor<3x2x6xi32>) -> tensor<3x2x6xi32> {
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<2x3xi32>
  %f = linalg.fill ins(%five : i32) outs(%e : tensor<2x3xi32>) -> tensor<2x3xi32>
  // expected-remark @+1 {{is not fused into its user: the user would compute elements more than once}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<2x3xi32>) outs(%f : tensor<2x3xi32>) {
  ^bb0(%x: i32, %o: i32):
    %2 = arith.addi %o, %x : i32
    linalg.yield %2 : i32
  } -> tensor<2x3xi32>
  %g = tensor.empty() : tensor<3x2x6xi32>
  // expected-note @+1 {{the user}}
  %1 = linalg.generic {indexing_maps = [#swap, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %b : tensor<2x3xi32>, tensor<3x2x6xi32>) outs(%g : tensor<3x2x6xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %2 = arith.muli %x, %y : i32
    linalg.yield %2 : i32
  } -> tensor<3x2x6xi32>
  return %1 : tensor<3x2x6xi32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// In a chain of sums with two users each, no op computes the sums before it again.
// CHECK-LABEL: func.func @sums
// CHECK-COUNT-4: arith.addi
// CHECK-NOT: arith.addi
func.func @sums(%a: tensor<1xi32>, %b: tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
  %e = tensor.empty() : tensor<1xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<1xi32>, tensor<1xi32>) outs(%e : tensor<1xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %4 = arith.addi %x, %y : i32
    linalg.yield %4 : i32
  } -> tensor<1xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %b : tensor<1xi32>, tensor<1xi32>) outs(%e : tensor<1xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %4 = arith.addi %x, %y : i32
    linalg.yield %4 : i32
  } -> tensor<1xi32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%1, %b : tensor<1xi32>, tensor<1xi32>) outs(%e : tensor<1xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %4 = arith.addi %x, %y : i32
    linalg.yield %4 : i32
  } -> tensor<1xi32>
  return %0, %1, %2 : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>
#all = affine_map<(d0, d1) -> (d0)>
#window = affine_map<(d0, d1) -> (d1)>

// A selection between elements is fused into the sum of a window, which selects each element three
// times.
// CHECK-LABEL: func.func @window
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: scf.if
// CHECK: tensor.extract
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func @window(%x: tensor<4xf32>, %zero: f32) -> tensor<6xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.divui %i, %c2 : index
    %rest = arith.remui %i, %c2 : index
    %is = arith.cmpi ult, %rest, %c1 : index
    %v = scf.if %is -> (f32) {
      %w = tensor.extract %x[%at] : tensor<4xf32>
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<8xf32>
  %w = tensor.empty() : tensor<3xi8>
  %f = tensor.empty() : tensor<6xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<6xf32>) -> tensor<6xf32>
  %1 = linalg.generic {indexing_maps = [#sum, #window, #all], iterator_types = ["parallel", "reduction"]} ins(%0, %w : tensor<8xf32>, tensor<3xi8>) outs(%g : tensor<6xf32>) {
  ^bb0(%v: f32, %unused: i8, %o: f32):
    %2 = arith.addf %o, %v : f32
    linalg.yield %2 : f32
  } -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
