// RUN: halo-opt %s --halo-fuse-gathers --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#loop = affine_map<(d0) -> (d0)>

// One element of each row is computed where it is read, through a reshape and a broadcast;
// the logarithm of the sums too, since nothing else reads it.
//
// CHECK-LABEL: func.func @labels
// CHECK-SAME: %[[X:.*]]: tensor<64x1000xf32>, %[[SUM:.*]]: tensor<64xf32>, %[[LABELS:.*]]: tensor<64xindex>
// CHECK: linalg.generic {{.*}} ins(%[[LABELS]] : tensor<64xindex>)
// CHECK-NEXT: ^bb0(%[[LABEL:.*]]: index, %{{.*}}: f32):
// CHECK-NEXT: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[E:.*]] = tensor.extract %[[X]][%[[ROW]], %[[LABEL]]] : tensor<64x1000xf32>
// CHECK: %[[S:.*]] = tensor.extract %[[SUM]][%[[ROW]]] : tensor<64xf32>
// CHECK: %[[LOG:.*]] = math.log %[[S]]
// CHECK: %[[D:.*]] = arith.subf %[[E]], %[[LOG]]
// CHECK: linalg.yield %[[D]]
// CHECK-NOT: linalg.generic
func.func @labels(%x: tensor<64x1000xf32>, %sum: tensor<64xf32>, %labels: tensor<64xindex>) -> tensor<64xf32> {
  %s = tensor.expand_shape %sum [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %e1 = tensor.empty() : tensor<64x1xf32>
  %log = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<64x1xf32>) outs(%e1 : tensor<64x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.log %a : f32
    linalg.yield %9 : f32
  } -> tensor<64x1xf32>
  %e2 = tensor.empty() : tensor<64x1000xf32>
  %wide = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%log : tensor<64x1xf32>) outs(%e2 : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<64x1000xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %wide : tensor<64x1000xf32>, tensor<64x1000xf32>) outs(%e2 : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.subf %a, %b : f32
    linalg.yield %9 : f32
  } -> tensor<64x1000xf32>
  %e = tensor.empty() : tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%labels : tensor<64xindex>) outs(%e : tensor<64xf32>) {
  ^bb0(%label: index, %out: f32):
    %row = linalg.index 0 : index
    %9 = tensor.extract %0[%row, %label] : tensor<64x1000xf32>
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  return %1 : tensor<64xf32>
}

// -----

#loop = affine_map<(d0) -> (d0)>

// A tensor that is read again and again is computed once: each of its elements 4 times
// here, and half of them where another op reads it.
//
// CHECK-LABEL: func.func @often
// CHECK: %[[T:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16xf32>)
// CHECK: math.exp
// CHECK: %[[U:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<128xf32>)
// CHECK: math.sin
// CHECK: linalg.index 0
// CHECK: tensor.extract %[[T]]
// CHECK: tensor.extract %[[U]]
// CHECK-NOT: math.
// CHECK: return
func.func @often(%x: tensor<16xf32>, %y: tensor<128xf32>, %at: tensor<64xindex>) -> (tensor<64xf32>, tensor<128xf32>) {
  %e = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<16xf32>
  %f = tensor.empty() : tensor<128xf32>
  %1 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%y : tensor<128xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<128xf32>
  %g = tensor.empty() : tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%at : tensor<64xindex>) outs(%g : tensor<64xf32>) {
  ^bb0(%i: index, %out: f32):
    %n = linalg.index 0 : index
    %7 = tensor.extract %0[%i] : tensor<16xf32>
    %8 = tensor.extract %1[%n] : tensor<128xf32>
    %9 = arith.addf %7, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  return %2, %1 : tensor<64xf32>, tensor<128xf32>
}
