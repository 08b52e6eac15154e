// RUN: halo-opt %s --halo-fuse-multi-output --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-fuse-multi-output=explain --split-input-file --verify-diagnostics -o /dev/null

#id = affine_map<(d0) -> (d0)>

// A sum that is read twice is computed in the loop of what reads it, and is no result
// where nothing else does.
//
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[A:.*]]: tensor<64xf32>, %[[B:.*]]: tensor<64xf32>
// CHECK: %[[ALL:.*]]:2 = linalg.generic {{.*}} ins(%[[A]], %[[B]], %[[B]] : {{.*}}) outs(%[[E0:.*]], %[[E1:.*]] : tensor<64xf32>, tensor<64xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %[[Z:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[Z]]
// CHECK-NEXT: %[[DIFFERENCE:.*]] = arith.subf %[[SUM]], %[[PRODUCT]]
// CHECK-NEXT: linalg.yield %[[PRODUCT]], %[[DIFFERENCE]] : f32, f32
// CHECK-NOT: linalg.generic
// CHECK: return %[[ALL]]#0, %[[ALL]]#1
func.func @chain(%a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.addf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %b : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %1 : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.subf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// Each has an element of another place, is read before, or accumulates.
//
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-6: linalg.generic
// CHECK: return
func.func @apart(%a: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, f32) {
  %e = tensor.empty() : tensor<128x128xf32>
  %c0 = arith.constant 0 : index
  // expected-remark @+2 {{is not joined with another op: other users come before, or read other elements}}
  // expected-remark @+1 {{is not joined with another op: one of them reads what it overwrites}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.addf %x, %x : f32
    linalg.yield %9 : f32
  } -> tensor<128x128xf32>
  // expected-note @+2 {{the user}}
  // expected-remark @+1 {{is not joined with another op: other users come before, or read other elements}}
  %1 = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<128x128xf32>
  %first = tensor.extract %1[%c0, %c0] : tensor<128x128xf32>
  // expected-note @+1 {{the user}}
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.negf %x : f32
    linalg.yield %9 : f32
  } -> tensor<128x128xf32>
  // expected-note @+2 {{the other}}
  // expected-remark @+1 {{is not joined with another op: the first reads what it overwrites}}
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<128x128xf32>) outs(%a : tensor<128x128xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.subf %out, %x : f32
    linalg.yield %9 : f32
  } -> tensor<128x128xf32>
  // expected-note @+1 {{the user}}
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.divf %x, %x : f32
    linalg.yield %9 : f32
  } -> tensor<128x128xf32>
  %5 = linalg.generic {indexing_maps = [#id, #swap], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<128x128xf32>) outs(%e : tensor<128x128xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.addf %x, %x : f32
    linalg.yield %9 : f32
  } -> tensor<128x128xf32>
  return %1, %2, %3, %4, %5, %first : tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, tensor<128x128xf32>, f32
}

// -----

#id = affine_map<(d0) -> (d0)>

// Small siblings are computed where the first of them is, if their operands are there.
//
// CHECK-LABEL: func.func @small_siblings
// CHECK: %[[S:.*]]:2 = linalg.generic {{.*}} ins(%arg1, %arg0 : tensor<64xf32>, tensor<64xf32>)
// CHECK: math.absf
// CHECK: math.rsqrt
// CHECK: %[[FIRST:.*]] = tensor.extract %[[S]]#1
// CHECK: %[[LATE:.*]] = linalg.generic
// CHECK: return %[[S]]#1, %[[S]]#0, %[[LATE]], %[[FIRST]]
func.func @small_siblings(%a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, f32) {
  %e = tensor.empty() : tensor<64xf32>
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{is not joined with another op: the first has users before the second}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.rsqrt %x : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %first = tensor.extract %0[%c0] : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.absf %x : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  // expected-note @+1 {{the other}}
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.mulf %x, %first : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  return %0, %1, %2, %first : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, f32
}

// -----

#id = affine_map<(d0) -> (d0)>

// Large ones are joined if they read an operand together.
//
// CHECK-LABEL: func.func @large_siblings
// CHECK: %[[S:.*]]:2 = linalg.generic
// CHECK: math.absf
// CHECK: arith.negf
// CHECK: %[[OTHER:.*]] = linalg.generic
// CHECK: return %[[S]]#0, %[[S]]#1, %[[OTHER]]
func.func @large_siblings(%a: tensor<8192xf32>, %b: tensor<8192xf32>) -> (tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>) {
  %e = tensor.empty() : tensor<8192xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8192xf32>) outs(%e : tensor<8192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.absf %x : f32
    linalg.yield %9 : f32
  } -> tensor<8192xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8192xf32>) outs(%e : tensor<8192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.negf %x : f32
    linalg.yield %9 : f32
  } -> tensor<8192xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<8192xf32>) outs(%e : tensor<8192xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.addf %x, %x : f32
    linalg.yield %9 : f32
  } -> tensor<8192xf32>
  return %0, %1, %2 : tensor<8192xf32>, tensor<8192xf32>, tensor<8192xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#square = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// An op that reads one that was joined is joined as well.
//
// CHECK-LABEL: func.func @siblings_of_joined
// CHECK: %[[FIRST:.*]]:2 = linalg.generic
// CHECK: %[[SECOND:.*]]:2 = linalg.generic {{.*}} ins({{.*}}%[[FIRST]]#1
// CHECK-NOT: linalg.generic
// CHECK: return %[[FIRST]]#1, %[[FIRST]]#0, %[[SECOND]]#1, %[[SECOND]]#0
func.func @siblings_of_joined(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<8x64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<8x64xf32>, tensor<8x64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %s = tensor.empty() : tensor<8x64xf32>
  %c0 = arith.constant 0 : index
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.rsqrt %x : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#row, #square], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64xf32>) outs(%s : tensor<8x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.absf %x : f32
    linalg.yield %9 : f32
  } -> tensor<8x64xf32>
  %first = tensor.extract %1[%c0, %c0] : tensor<8x64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.absf %x : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %3 = linalg.generic {indexing_maps = [#square, #square], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x64xf32>) outs(%s : tensor<8x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.negf %x : f32
    linalg.yield %9 : f32
  } -> tensor<8x64xf32>
  return %0, %2, %1, %3 : tensor<64xf32>, tensor<64xf32>, tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Ops without operands that read a tensor at computed indices.
//
// CHECK-LABEL: func.func @same_gathers
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<8192xf32>, tensor<8192xf32>)
// CHECK-NOT: linalg.generic
func.func @same_gathers(%x: tensor<16384xf32>) -> (tensor<8192xf32>, tensor<8192xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<8192xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8192xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %v = tensor.extract %x[%i] : tensor<16384xf32>
    linalg.yield %v : f32
  } -> tensor<8192xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8192xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.addi %i, %c1 : index
    %v = tensor.extract %x[%j] : tensor<16384xf32>
    linalg.yield %v : f32
  } -> tensor<8192xf32>
  return %0, %1 : tensor<8192xf32>, tensor<8192xf32>
}
