// RUN: halo-opt %s --halo-fuse-gathers --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-fuse-gathers=explain --split-input-file --verify-diagnostics -o /dev/null

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
// CHECK: %[[ROW:.*]] = linalg.index 0
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
  // expected-remark @+1 {{is not computed in a gather: the gather would compute elements more than once}}
  %0 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<16xf32>
  %f = tensor.empty() : tensor<128xf32>
  // expected-remark @+1 {{is not computed in a gather: it has several uses, and the gather reads much of it}}
  %1 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%y : tensor<128xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<128xf32>
  %g = tensor.empty() : tensor<64xf32>
  // expected-note @+1 {{the gather}}
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

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#diagonal = affine_map<(d0, d1) -> (d0 + d1)>
#first = affine_map<(d0, d1) -> (d0)>
#loop = affine_map<(d0) -> (d0)>

// What is not computed element by element is not computed in a gather.
//
// CHECK-LABEL: func.func @others
// CHECK-COUNT-5: linalg.generic
// CHECK-COUNT-5: tensor.extract
func.func @others(%x: tensor<64x64xf32>, %v: tensor<127xf32>, %own: tensor<64x64xf32>, %dynamic: tensor<?x64xf32>, %at: tensor<4xindex>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @+1 {{is not computed in a gather: it is a reduction}}
  %sum = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x64xf32>) outs(%zero : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = arith.addf %a, %out : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  // expected-remark @+1 {{is not computed in a gather: its elements have another order than its loops}}
  %order = linalg.generic {indexing_maps = [#diagonal, #id], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<127xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  // expected-remark @+1 {{is not computed in a gather: it reads what it overwrites}}
  %update = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%own : tensor<64x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = arith.mulf %a, %out : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  // expected-remark @+1 {{is not computed in a gather: a shape is dynamic}}
  %rows = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%dynamic : tensor<?x64xf32>) outs(%dynamic : tensor<?x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<?x64xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  // expected-remark @+1 {{is not computed in a gather: other dimensions than those of size 1 change}}
  %flat = tensor.collapse_shape %exp [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
  %f = tensor.empty() : tensor<4xf32>
  // expected-note @+1 {{the gather}}
  %1 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%at : tensor<4xindex>) outs(%f : tensor<4xf32>) {
  ^bb0(%i: index, %out: f32):
    %2 = tensor.extract %sum[%i] : tensor<64xf32>
    %3 = tensor.extract %order[%i, %c0] : tensor<64x64xf32>
    %4 = tensor.extract %update[%i, %c0] : tensor<64x64xf32>
    %5 = tensor.extract %rows[%i, %c0] : tensor<?x64xf32>
    %6 = tensor.extract %flat[%i] : tensor<4096xf32>
    %7 = arith.addf %2, %3 : f32
    %8 = arith.addf %4, %5 : f32
    %9 = arith.addf %6, %7 : f32
    %10 = arith.addf %8, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The loop of a scatter computes its indices, which several ops of it read, and its updates, but not
// an update by expensive arithmetic, or one that reads the tensor that the scatter updates.
//
// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%[[X:.*]]: tensor<100xi32>, %[[Y:.*]]: tensor<100xf32>, %[[T:.*]]: tensor<100xf32>)
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[T]] : tensor<100xf32>)
// CHECK-NOT: linalg.generic
// CHECK: scf.for %[[I:.*]] = %c0 to %c100 step %c1 iter_args
// CHECK-DAG: %[[INDEX:.*]] = tensor.extract %[[X]][%[[I]]]
// CHECK-DAG: arith.maxsi %[[INDEX]]
// CHECK-DAG: %[[UPDATE:.*]] = tensor.extract %[[Y]][%[[I]]]
// CHECK-DAG: arith.addf %[[UPDATE]], %[[UPDATE]]
// CHECK: } {halo.scatter = #halo.scatter<combine>}
func.func @scatter(%x: tensor<100xi32>, %y: tensor<100xf32>, %t: tensor<100xf32>) -> tensor<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %e = tensor.empty() : tensor<100xf32>
  %ei = tensor.empty() : tensor<100xi32>
  %zero = arith.constant 0 : i32
  %positive = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<100xi32>) outs(%ei : tensor<100xi32>) {
  ^bb0(%a: i32, %out: i32):
    %9 = arith.maxsi %a, %zero : i32
    linalg.yield %9 : i32
  } -> tensor<100xi32>
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = arith.addf %a, %a : f32
    linalg.yield %9 : f32
  } -> tensor<100xf32>
  %power = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<100xf32>
  %before = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = arith.addf %a, %a : f32
    linalg.yield %9 : f32
  } -> tensor<100xf32>
  %0 = scf.for %i = %c0 to %c100 step %c1 iter_args(%table = %t) -> (tensor<100xf32>) {
    %1 = tensor.extract %positive[%i] : tensor<100xi32>
    %2 = tensor.extract %positive[%i] : tensor<100xi32>
    %3 = arith.addi %1, %2 : i32
    %4 = arith.index_cast %3 : i32 to index
    %old = tensor.extract %table[%4] : tensor<100xf32>
    %u1 = tensor.extract %twice[%i] : tensor<100xf32>
    %u2 = tensor.extract %power[%i] : tensor<100xf32>
    %u3 = tensor.extract %before[%i] : tensor<100xf32>
    %s1 = arith.addf %old, %u1 : f32
    %s2 = arith.addf %s1, %u2 : f32
    %s3 = arith.addf %s2, %u3 : f32
    %next = tensor.insert %s3 into %table[%4] : tensor<100xf32>
    scf.yield %next : tensor<100xf32>
  } {halo.scatter = #halo.scatter<combine>}
  return %0 : tensor<100xf32>
}

// -----

#loop = affine_map<(d0) -> (d0)>

// A gather reads the operand of a slice, and the value of a fill.
//
// CHECK-LABEL: func.func @slices
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[I:.*]]: tensor<8xindex>, %[[S:.*]]: f32
// CHECK-NOT: tensor.extract_slice
// CHECK: linalg.generic {{.*}} ins(%[[I]] : tensor<8xindex>)
// CHECK-NEXT: ^bb0(%[[AT:.*]]: index, %{{.*}}: f32):
// CHECK: %[[TWICE:.*]] = arith.muli %[[AT]], %c2
// CHECK: %[[SUM:.*]] = arith.addi %[[TWICE]], %c5
// CHECK: %[[V:.*]] = tensor.extract %[[X]][%[[SUM]]]
// CHECK: arith.addf %[[V]], %[[S]]
func.func @slices(%x: tensor<64xf32>, %i: tensor<8xindex>, %s: f32) -> tensor<8xf32> {
  %slice = tensor.extract_slice %x[5] [16] [2] : tensor<64xf32> to tensor<16xf32>
  %e16 = tensor.empty() : tensor<16xf32>
  %fill = linalg.fill ins(%s : f32) outs(%e16 : tensor<16xf32>) -> tensor<16xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%at: index, %out: f32):
    %v = tensor.extract %slice[%at] : tensor<16xf32>
    %w = tensor.extract %fill[%at] : tensor<16xf32>
    %sum = arith.addf %v, %w : f32
    linalg.yield %sum : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
