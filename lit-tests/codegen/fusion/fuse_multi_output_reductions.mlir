// RUN: halo-opt %s --halo-fuse-multi-output=reductions | FileCheck %s
// RUN: halo-opt %s --halo-fuse-multi-output | FileCheck %s --check-prefix=APART

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#last = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>

// Sums over the same loops that read one operand together. Each has its accumulator.
//
// CHECK-LABEL: func.func @siblings
// CHECK-SAME: %[[X:.*]]: tensor<64x8xf32>, %[[Y:.*]]: tensor<64x1xf32>, %[[S:.*]]: tensor<8xf32>, %[[T:.*]]: tensor<8xf32>
// CHECK: %[[R:.*]]:2 = linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[X]], %[[X]], %[[Y]] : {{.*}}) outs(%[[S]], %[[T]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[O:.*]]: f32, %[[P:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[O]], %[[A]]
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[B]], %[[C]]
// CHECK-NEXT: %[[OTHER:.*]] = arith.addf %[[P]], %[[PRODUCT]]
// CHECK-NEXT: linalg.yield %[[SUM]], %[[OTHER]]
// CHECK: return %[[R]]#0, %[[R]]#1
// APART-LABEL: func.func @siblings
// APART-COUNT-2: linalg.generic
func.func @siblings(%x: tensor<64x8xf32>, %y: tensor<64x1xf32>, %s: tensor<8xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #last], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x8xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #last], iterator_types = ["reduction", "parallel"]} ins(%x, %y : tensor<64x8xf32>, tensor<64x1xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// An accumulator whose result has no use is read by the other result.
//
// CHECK-LABEL: func.func @unused
// CHECK: %{{.*}}:3 = linalg.generic
func.func @unused(%x: tensor<64x8xf32>, %s: tensor<8xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #last, #last], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x8xf32>) outs(%s, %t : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %2 = arith.addf %o, %p : f32
    %3 = arith.addf %p, %a : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %1 = linalg.generic {indexing_maps = [#id, #last], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x8xf32>) outs(%t : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.mulf %o, %a : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %0#0, %1 : tensor<8xf32>, tensor<8xf32>
}

// The kernel of a sum also computes its square root.
//
// CHECK-LABEL: func.func @epilogue
// CHECK-COUNT-3: linalg.generic
func.func @epilogue(%x: tensor<64x8xf32>, %s: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #last], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x8xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #last], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x8xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.maximumf %o, %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %root = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = math.sqrt %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %root, %1 : tensor<8xf32>, tensor<8xf32>
}
