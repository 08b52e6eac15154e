// RUN: halo-opt %s --halo-form-fusion-groups --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-form-fusion-groups=explain --split-input-file --verify-diagnostics -o /dev/null

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#first = affine_map<(d0, d1) -> (d0, 0)>

// A softmax is one loop over rows. What is inside has its own places, and the last result
// is written where it is to be.
//
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: %[[X:.*]]: tensor<64x100xf32>
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<64x100xf32>
// CHECK: %[[RESULT:.*]] = scf.forall (%[[I:.*]]) in (64) shared_outs(%[[SHARED:.*]] = %[[OUT]]) -> (tensor<64x100xf32>) {
// CHECK:   %[[START:.*]] = linalg.fill {{.*}} -> tensor<1xf32>
// CHECK:   %[[ROW:.*]] = tensor.extract_slice %[[X]][%[[I]], 0] [1, 100] [1, 1]
// CHECK:   %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[ROW]] : tensor<1x100xf32>) outs(%[[START]] : tensor<1xf32>)
// CHECK:   %[[COLUMN:.*]] = tensor.expand_shape %[[MAX]] {{.*}} output_shape [1, 1]
// CHECK:   %[[PLACE:.*]] = tensor.empty() : tensor<1x100xf32>
// CHECK:   %[[EXP:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[COLUMN]] : tensor<1x100xf32>, tensor<1x1xf32>) outs(%[[PLACE]] : tensor<1x100xf32>)
// CHECK:   %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<1x100xf32>)
// CHECK:   %[[TO:.*]] = tensor.extract_slice %[[SHARED]][%[[I]], 0] [1, 100] [1, 1]
// CHECK:   %[[LAST:.*]] = linalg.generic {{.*}} ins(%[[EXP]], %[[SUM]] : tensor<1x100xf32>, tensor<1xf32>) outs(%[[TO]] : tensor<1x100xf32>)
// CHECK:   tensor.parallel_insert_slice %[[LAST]] into %[[SHARED]][%[[I]], 0] [1, 100] [1, 1]
// CHECK-NOT: linalg
// CHECK: return %[[RESULT]]
func.func @softmax(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64xf32>
  %e1 = tensor.empty() : tensor<64x100xf32>
  %0 = linalg.fill ins(%low : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x100xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.maximumf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %3 = linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %2 : tensor<64x100xf32>, tensor<64x1xf32>) outs(%e1 : tensor<64x100xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %9 = arith.subf %in, %max : f32
    %10 = math.exp %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x100xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %5 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<64x100xf32>) outs(%4 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %6 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<64x100xf32>, tensor<64xf32>) outs(%e1 : tensor<64x100xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.divf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<64x100xf32>
  return %6 : tensor<64x100xf32>
}

// -----

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>

// Two loops in common become one, and their indices are known inside.
//
// CHECK-LABEL: func.func @positions
// CHECK: scf.forall (%[[I:.*]]) in (96)
// CHECK-DAG: %[[MINOR:.*]] = arith.remui %[[I]]
// CHECK-DAG: %[[MAJOR:.*]] = arith.divui %[[I]]
// CHECK: tensor.extract_slice %{{.*}}[%[[MAJOR]], %[[MINOR]], 0] [1, 1, 40] [1, 1, 1]
// CHECK: linalg.generic
// CHECK: %[[COLUMN:.*]] = linalg.index 2
// CHECK: arith.cmpi sle, %[[COLUMN]], %[[MINOR]]
// CHECK: parallel_insert_slice %{{.*}}[%[[MAJOR]], %[[MINOR]], 0] [1, 1, 40] [1, 1, 1]
func.func @positions(%x: tensor<4x24x40xf32>) -> tensor<4x24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x24xf32>
  %e1 = tensor.empty() : tensor<4x24x40xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x24xf32>) -> tensor<4x24xf32>
  %1 = linalg.generic {indexing_maps = [#id3, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<4x24x40xf32>) outs(%0 : tensor<4x24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %i, %j : index
    %7 = arith.select %c, %in, %zero : f32
    %8 = arith.addf %out, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<4x24xf32>
  %2 = linalg.generic {indexing_maps = [#id3, #rows, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %1 : tensor<4x24x40xf32>, tensor<4x24xf32>) outs(%e1 : tensor<4x24x40xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.divf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<4x24x40xf32>
  return %2 : tensor<4x24x40xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// What is read behind the group is a result of it; what is read before its end is computed
// outside.
//
// CHECK-LABEL: func.func @results
// CHECK: %[[BEFORE:.*]] = linalg.generic
// CHECK: %[[PRINTED:.*]] = tensor.extract %[[BEFORE]]
// CHECK: %[[ALL:.*]]:3 = scf.forall (%[[I:.*]]) in (64) shared_outs(%[[LAST:.*]] = %{{.*}}, %[[SUMS:.*]] = %{{.*}}, %[[SQUARES:.*]] = %{{.*}}) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64x64xf32>) {
// CHECK:   %[[FROM:.*]] = tensor.extract_slice %[[BEFORE]][%[[I]], 0]
// CHECK:   %[[TO:.*]] = tensor.extract_slice %[[SQUARES]][%[[I]], 0]
// CHECK:   %[[SQUARE:.*]] = linalg.generic {{.*}} ins(%[[FROM]] : tensor<1x64xf32>) outs(%[[TO]] : tensor<1x64xf32>)
// CHECK:   %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[SQUARE]] : tensor<1x64xf32>)
// CHECK:   scf.forall.in_parallel
// CHECK-NEXT: parallel_insert_slice %{{.*}} into %[[LAST]][%[[I]], 0]
// CHECK-NEXT: parallel_insert_slice %[[SUM]] into %[[SUMS]][%[[I]]] [1] [1]
// CHECK-NEXT: parallel_insert_slice %[[SQUARE]] into %[[SQUARES]][%[[I]], 0]
// CHECK: return %[[ALL]]#0, %[[ALL]]#1, %[[ALL]]#2, %[[PRINTED]]
func.func @results(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64x64xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %e0 = tensor.empty() : tensor<64xf32>
  %e1 = tensor.empty() : tensor<64x64xf32>
  // expected-remark @+1 {{is not in the group of its user: an op before the end of the group reads it}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e1 : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %in, %one : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  %printed = tensor.extract %0[%c0, %c0] : tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x64xf32>) outs(%e1 : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.mulf %in, %in : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %3 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x64xf32>) outs(%2 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  // expected-note @+1 {{the last op of the group}}
  %4 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<64x64xf32>, tensor<64xf32>) outs(%e1 : tensor<64x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.divf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  return %4, %3, %1, %printed : tensor<64x64xf32>, tensor<64xf32>, tensor<64x64xf32>, f32
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#exchanged = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

// A row of the result needs two rows of what is read in two orders.
//
// CHECK-LABEL: func.func @other_elements
// CHECK: linalg.generic
// CHECK: scf.forall
// CHECK-COUNT-2: linalg.generic
func.func @other_elements(%x: tensor<8x8x64xf32>) -> tensor<8x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e0 = tensor.empty() : tensor<8x8xf32>
  %e1 = tensor.empty() : tensor<8x8x64xf32>
  // expected-remark @+1 {{is not in the group of its user: an iteration needs other elements than those of its own}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<8x8x64xf32>) outs(%e1 : tensor<8x8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %in, %one : f32
    linalg.yield %9 : f32
  } -> tensor<8x8x64xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#exchanged, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0 : tensor<8x8x64xf32>) outs(%1 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<8x8xf32>
  // expected-note @+1 {{the last op of the group}}
  %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %2 : tensor<8x8x64xf32>, tensor<8x8xf32>) outs(%e1 : tensor<8x8x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.divf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<8x8x64xf32>
  return %3 : tensor<8x8x64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Few rows leave threads without work, and short ones are not worth a loop of their own.
//
// CHECK-LABEL: func.func @too_small
// CHECK-NOT: scf.forall
func.func @too_small(%x: tensor<8x9000xf32>, %y: tensor<64x3xf32>) -> (tensor<8x9000xf32>, tensor<64x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<8x9000xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{is in no group: there are too few iterations to share among threads}}
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x9000xf32>) outs(%0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %1 : tensor<8x9000xf32>, tensor<8xf32>) outs(%e1 : tensor<8x9000xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.divf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<8x9000xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %e3 = tensor.empty() : tensor<64x3xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @+1 {{is in no group: an iteration has few elements}}
  %4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<64x3xf32>) outs(%3 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %5 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %4 : tensor<64x3xf32>, tensor<64xf32>) outs(%e3 : tensor<64x3xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.divf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<64x3xf32>
  return %2, %5 : tensor<8x9000xf32>, tensor<64x3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#vector = affine_map<(d0) -> (d0)>

// The sums of columns are vectors of sums, which one iteration for each column would undo.
//
// CHECK-LABEL: func.func @columns
// CHECK-NOT: scf.forall
func.func @columns(%x: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  // expected-remark @+1 {{is in no group: elements of an iteration are not next to each other in memory}}
  %1 = linalg.generic {indexing_maps = [#transposed, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x64xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]} ins(%b, %1 : tensor<64xf32>, tensor<64xf32>) outs(%e0 : tensor<64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.subf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Rows of a product that nothing else needs are overwritten.
//
// CHECK-LABEL: func.func @scores
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: scf.forall (%[[I:.*]]) in (64) shared_outs(%[[OUT:.*]] = %[[SCORES]])
// CHECK: tensor.extract_slice %[[OUT]][%[[I]], 0] [1, 64]
// CHECK-NOT: tensor.extract_slice %[[SCORES]]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]]
func.func @scores(%q: tensor<64x32xf32>, %k: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %k : tensor<64x32xf32>, tensor<32x64xf32>) outs(%zeros : tensor<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %p = arith.mulf %l, %r : f32
    %9 = arith.addf %out, %p : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  %e0 = tensor.empty() : tensor<64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x64xf32>) outs(%0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = arith.addf %out, %in : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %1 : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %9 = arith.divf %in, %sum : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
