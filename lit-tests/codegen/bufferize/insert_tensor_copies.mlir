// RUN: halo-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(halo-insert-tensor-copies))' | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#reversed = affine_map<(d0) -> (3 - d0)>

// An argument that must not be written to is copied, once.
// CHECK-LABEL: func.func @argument(
//  CHECK-SAME:   %[[X:[^ :]*]]: tensor<4xf32>
//       CHECK:   %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X]])
//       CHECK:   %[[FIRST:.*]] = tensor.insert %{{.*}} into %[[COPY]]
//       CHECK:   tensor.insert %{{.*}} into %[[FIRST]]
//   CHECK-NOT:   alloc_tensor
func.func @argument(%x: tensor<4xf32> {bufferization.writable = false}, %i: index, %f: f32) -> tensor<4xf32> {
  %0 = tensor.insert %f into %x[%i] : tensor<4xf32>
  %1 = tensor.insert %f into %0[%i] : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#reversed = affine_map<(d0) -> (3 - d0)>

// Each element is read before it is written; in another order it is not. What
// nobody reads again gives its memory to the result.
// CHECK-LABEL: func.func @elementwise(
//  CHECK-SAME:   %[[X:[^ :]*]]: tensor<4xf32>
//       CHECK:   %[[ONE:.*]] = linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[X]] :
//       CHECK:   %[[NEW:.*]] = tensor.empty()
//       CHECK:   %[[TWO:.*]] = linalg.generic {{.*}} ins(%[[ONE]] : {{.*}}) outs(%[[NEW]] :
//       CHECK:   linalg.generic {{.*}} ins(%[[TWO]] : {{.*}}) outs(%[[TWO]] :
func.func @elementwise(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#reversed, #id], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.exp %a : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Values that change places are copied before the first is written.
// CHECK-LABEL: func.func @swap(
// CHECK: ^bb0(%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>):
// CHECK: %[[OLD_A:.*]] = bufferization.alloc_tensor() copy(%[[A]])
// CHECK: %[[NEW_A:.*]] = bufferization.materialize_in_destination %[[B]] in %[[A]]
// CHECK: %[[NEW_B:.*]] = bufferization.materialize_in_destination %[[OLD_A]] in %[[B]]
// CHECK: scf.yield %[[NEW_A]], %[[NEW_B]]
func.func @swap(%p: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = scf.while (%a = %x, %b = %y) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.condition(%p) %a, %b : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A loop in a loop updates the table of both where it is; the element that it
// reads is read before.
// CHECK-LABEL: func.func @nested(
//  CHECK-SAME:   %[[TABLE:[^ :]*]]: tensor<8xf32>
//   CHECK-NOT:   alloc_tensor
//       CHECK:   scf.for {{.*}} iter_args(%[[OUTER:.*]] = %[[TABLE]])
//       CHECK:     %[[RESULT:.*]] = scf.for {{.*}} iter_args(%[[INNER:.*]] = %[[OUTER]])
//       CHECK:       tensor.extract %[[INNER]]
//       CHECK:       %[[NEXT:.*]] = tensor.insert %{{.*}} into %[[INNER]]
//  CHECK-NEXT:       scf.yield %[[NEXT]]
//       CHECK:     scf.yield %[[RESULT]]
func.func @nested(%table: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %table) -> (tensor<8xf32>) {
    %1 = scf.for %j = %c0 to %c8 step %c1 iter_args(%u = %t) -> (tensor<8xf32>) {
      %2 = tensor.extract %u[%i] : tensor<8xf32>
      %3 = tensor.insert %2 into %u[%j] : tensor<8xf32>
      scf.yield %3 : tensor<8xf32>
    }
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// What the inner loop reads of the table as it was before is kept for it.
// CHECK-LABEL: func.func @reads_outer(
//       CHECK:   scf.for {{.*}} iter_args(%[[OUTER:.*]] = %{{.*}})
//       CHECK:     %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[OUTER]])
//       CHECK:     %[[RESULT:.*]] = scf.for {{.*}} iter_args(%[[INNER:.*]] = %[[COPY]])
//       CHECK:       tensor.extract %[[OUTER]]
//       CHECK:       tensor.insert %{{.*}} into %[[INNER]]
//       CHECK:     %[[NEXT:.*]] = bufferization.materialize_in_destination %[[RESULT]] in %[[OUTER]]
//       CHECK:     scf.yield %[[NEXT]]
func.func @reads_outer(%table: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %table) -> (tensor<8xf32>) {
    %1 = scf.for %j = %c0 to %c8 step %c1 iter_args(%u = %t) -> (tensor<8xf32>) {
      %2 = tensor.extract %t[%i] : tensor<8xf32>
      %3 = tensor.insert %2 into %u[%j] : tensor<8xf32>
      scf.yield %3 : tensor<8xf32>
    }
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// A read of old elements that stands behind a write goes before it.
// CHECK-LABEL: func.func @sink(
//  CHECK-SAME:   %[[T:[^ :]*]]: tensor<8xf32>
//   CHECK-NOT:   alloc_tensor
//       CHECK:   %[[OLD:.*]] = tensor.extract %[[T]]
//  CHECK-NEXT:   %[[FIRST:.*]] = tensor.insert %{{.*}} into %[[T]]
//  CHECK-NEXT:   tensor.insert %[[OLD]] into %[[FIRST]]
func.func @sink(%t: tensor<8xf32>, %f: f32, %i: index, %j: index) -> tensor<8xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = tensor.extract %t[%j] : tensor<8xf32>
  %2 = tensor.insert %1 into %0[%j] : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

// A branch writes over what the other one returns as it is.
// CHECK-LABEL: func.func @branch(
//  CHECK-SAME:   %[[T:[^ :]*]]: tensor<8xf32>
//   CHECK-NOT:   alloc_tensor
//   CHECK-NOT:   tensor.empty
//       CHECK:   scf.if
//       CHECK:     tensor.insert %{{.*}} into %[[T]]
//       CHECK:   else
//       CHECK:     scf.yield %[[T]]
func.func @branch(%t: tensor<8xf32>, %p: i1, %f: f32, %i: index) -> tensor<8xf32> {
  %0 = scf.if %p -> (tensor<8xf32>) {
    %1 = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Where the tensor is read behind the conditional, it is copied before.
// CHECK-LABEL: func.func @branch_of_copy(
//  CHECK-SAME:   %[[T:[^ :]*]]: tensor<8xf32>
//       CHECK:   %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[T]])
//       CHECK:   scf.if
//       CHECK:     tensor.insert %{{.*}} into %[[COPY]]
//       CHECK:   else
//       CHECK:     scf.yield %[[COPY]]
//       CHECK:   tensor.extract %[[T]]
func.func @branch_of_copy(%t: tensor<8xf32>, %p: i1, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %0 = scf.if %p -> (tensor<8xf32>) {
    %1 = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  %2 = tensor.extract %0[%i] : tensor<8xf32>
  %3 = tensor.extract %t[%i] : tensor<8xf32>
  %4 = arith.addf %2, %3 : f32
  return %0, %4 : tensor<8xf32>, f32
}

// -----

// A slice that overlaps its new place is copied; one that is put back where it
// was is not.
// CHECK-LABEL: func.func @slices(
//  CHECK-SAME:   %[[T:[^ :]*]]: tensor<8xf32>
//       CHECK:   %[[SLICE:.*]] = tensor.extract_slice %[[T]][%{{.*}}] [4] [1]
//       CHECK:   %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[SLICE]])
//       CHECK:   %[[MOVED:.*]] = tensor.insert_slice %[[COPY]] into %[[T]]
//       CHECK:   %[[OWN:.*]] = tensor.extract_slice %[[MOVED]]
//   CHECK-NOT:   alloc_tensor
//       CHECK:   %[[FILLED:.*]] = linalg.fill {{.*}} outs(%[[OWN]]
//  CHECK-NEXT:   tensor.insert_slice %[[FILLED]] into %[[MOVED]]
func.func @slices(%t: tensor<8xf32>, %i: index, %j: index, %f: f32) -> tensor<8xf32> {
  %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[%j] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.extract_slice %1[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %3 = linalg.fill ins(%f : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  %4 = tensor.insert_slice %3 into %1[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// Sums that start from one fill each get a fill of their own.
// CHECK-LABEL: func.func @fills(
// CHECK-COUNT-2: linalg.fill
//   CHECK-NOT:   copy(
func.func @fills(%x: tensor<8x4xf32>, %f: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %a, %o : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.mulf %a, %o : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#row = affine_map<(d0, d1) -> (d0, d1)>
#sum = affine_map<(d0, d1) -> (d0)>

// Iterations of a parallel loop do not share what they write, although nobody
// reads the empty tensor, and the loop is its only user.
// CHECK-LABEL: func.func @parallel(
//       CHECK:   scf.forall
//       CHECK:     %[[SLICE:.*]] = tensor.extract_slice
//       CHECK:     %[[OWN:.*]] = tensor.empty() : tensor<1xf32>
//       CHECK:     %[[FILL:.*]] = linalg.fill ins(%{{.*}}) outs(%[[OWN]] :
//       CHECK:     %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[SLICE]] : {{.*}}) outs(%[[FILL]] :
//       CHECK:     tensor.parallel_insert_slice %[[SUM]]
func.func @parallel(%x: tensor<8x4xf32> {bufferization.writable = false}, %zero: f32) -> tensor<8xf32> {
  %accumulator = tensor.empty() : tensor<1xf32>
  %result = tensor.empty() : tensor<8xf32>
  %sums = scf.forall (%i) in (8) shared_outs(%out = %result) -> (tensor<8xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%accumulator : tensor<1xf32>) -> tensor<1xf32>
    %1 = linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "reduction"]}
        ins(%row : tensor<1x4xf32>) outs(%0 : tensor<1xf32>) {
    ^bb0(%element: f32, %sum: f32):
      %next = arith.addf %element, %sum : f32
      linalg.yield %next : f32
    } -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %out[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %sums : tensor<8xf32>
}

// -----

// The same for slices of an outer tensor, which may be one slice.
// CHECK-LABEL: func.func @slice_of_outer(
//       CHECK:   scf.forall
//       CHECK:     %[[PART:.*]] = tensor.extract_slice
//       CHECK:     %[[OWN:.*]] = tensor.empty() : tensor<1xf32>
//       CHECK:     linalg.fill ins(%{{.*}}) outs(%[[OWN]] :
func.func @slice_of_outer(%zero: f32) -> tensor<8xf32> {
  %outer = tensor.empty() : tensor<4xf32>
  %result = tensor.empty() : tensor<8xf32>
  %filled = scf.forall (%i) in (8) shared_outs(%out = %result) -> (tensor<8xf32>) {
    %part = tensor.extract_slice %outer[0] [1] [1] : tensor<4xf32> to tensor<1xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%part : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %0 into %out[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %filled : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is inserted is computed in its slice; an empty tensor that two chains of insertions
// start from is one for each.
// CHECK-LABEL: func.func @in_slices(
//  CHECK-SAME:   %[[X:.*]]: tensor<4xf32>
//       CHECK:   %[[E1:.*]] = tensor.empty() : tensor<8xf32>
//       CHECK:   %[[E0:.*]] = tensor.empty() : tensor<8xf32>
//       CHECK:   %[[S0:.*]] = tensor.extract_slice %[[E0]][0] [4] [1]
//       CHECK:   %[[G0:.*]] = linalg.generic {{.*}} outs(%[[S0]] : tensor<4xf32>)
//       CHECK:   %[[I0:.*]] = tensor.insert_slice %[[G0]] into %[[E0]][0] [4] [1]
//       CHECK:   %[[S1:.*]] = tensor.extract_slice %[[I0]][4] [4] [1]
//       CHECK:   %[[G1:.*]] = linalg.generic {{.*}} outs(%[[S1]] : tensor<4xf32>)
//       CHECK:   tensor.insert_slice %[[G1]] into %[[I0]][4] [4] [1]
//       CHECK:   tensor.insert_slice %[[X]] into %[[E1]][0] [4] [1]
//       CHECK-NOT: copy
//       CHECK:   return
func.func @in_slices(%x: tensor<4xf32> {bufferization.writable = false}) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %2 = tensor.insert_slice %0 into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %3 = tensor.insert_slice %1 into %2[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %4 = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %3, %4 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#matrix = affine_map<(d0, d1) -> (d0, d1)>

// A tensor whose old contents are needed keeps them: the op gets a buffer of its own.
// A column that is inserted with a dimension of size 1 is computed in its place.
// CHECK-LABEL: func.func @old_contents(
//       CHECK:   tensor.extract_slice
//       CHECK:   %[[OWN:.*]] = tensor.empty() : tensor<4xf32>
//       CHECK:   %[[EXP:.*]] = linalg.generic {{.*}} outs(%[[OWN]] : tensor<4xf32>)
//       CHECK:   %[[COPY:.*]] = bufferization.alloc_tensor() copy(%{{.*}}) : tensor<8xf32>
//       CHECK:   tensor.insert_slice %[[EXP]] into %[[COPY]][%{{.*}}] [4] [1]
//       CHECK:   %[[COLUMN:.*]] = tensor.extract_slice %{{.*}}[0, 1] [4, 1] [1, 1] : tensor<4x2xf32> to tensor<4xf32>
//       CHECK:   %[[SIN:.*]] = linalg.generic {{.*}} outs(%[[COLUMN]] : tensor<4xf32>)
//       CHECK:   tensor.insert_slice %[[SIN]] into %{{.*}}[0, 1] [4, 1] [1, 1] : tensor<4xf32> into tensor<4x2xf32>
func.func @old_contents(%t: tensor<8xf32> {bufferization.writable = false}, %m: tensor<4x2xf32> {bufferization.writable = true}, %x: tensor<4xf32> {bufferization.writable = false}, %i: index) -> (tensor<8xf32>, tensor<4x2xf32>) {
  %f = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %4 = tensor.insert_slice %3 into %m[0, 1] [4, 1] [1, 1] : tensor<4x1xf32> into tensor<4x2xf32>
  return %1, %4 : tensor<8xf32>, tensor<4x2xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is inserted is computed in its slice also as one of several results, where the slice is there before.
// CHECK-LABEL: func.func private @one_of_two(
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[ALL:.*]] = %{{.*}})
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[ALL]][%[[I]], 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
// CHECK: %[[BOTH:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %[[SLICE]] : tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT: alloc_tensor
// CHECK: tensor.insert_slice %[[BOTH]]#1 into %[[ALL]][%[[I]], 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
func.func private @one_of_two(%state: tensor<4xf32>, %all: tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %state, %a = %all) -> (tensor<4xf32>, tensor<8x4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %1:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%s : tensor<4xf32>) outs(%s, %e : tensor<4xf32>, tensor<4xf32>) {
    ^bb0(%in: f32, %o0: f32, %o1: f32):
      %9 = math.exp %in : f32
      linalg.yield %9, %9 : f32, f32
    } -> (tensor<4xf32>, tensor<4xf32>)
    %2 = tensor.expand_shape %1#1 [[0, 1]] output_shape [1, 4] : tensor<4xf32> into tensor<1x4xf32>
    %3 = tensor.insert_slice %2 into %a[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %1#0, %3 : tensor<4xf32>, tensor<8x4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<8x4xf32>
}

// -----

// A tensor that a branch writes to first is not free for a second op of another branch.
// CHECK-LABEL: func.func @two_writes_in_a_branch
// CHECK: case 1 {
// CHECK: %[[A:.*]] = linalg.exp
// CHECK: %[[NEW:.*]] = tensor.empty()
// CHECK: %[[B:.*]] = linalg.abs ins(%[[A]] : tensor<4xf32>) outs(%[[NEW]] : tensor<4xf32>)
// CHECK: linalg.add ins(%[[A]], %[[B]]
func.func @two_writes_in_a_branch(%i: index, %x: tensor<4xf32> {bufferization.writable = false})
    -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %other = tensor.empty() : tensor<4xf32>
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    %a = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  case 1 {
    %a = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    %b = linalg.abs ins(%a : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    %c = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%other : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  default {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A write whose old tensor nobody reads later stays in its chain: behind the second op, the
// operands of both would be live.
// CHECK-LABEL: func.func @chains(
//  CHECK-SAME:   %[[X:[^ :]*]]: tensor<64xf32>{{.*}}, %[[Y:[^ :]*]]: tensor<64xf32>
//       CHECK:   linalg.exp ins(%[[X]] :
//       CHECK:   scf.for
//       CHECK:   linalg.exp ins(%[[Y]] :
//       CHECK:   scf.for
func.func @chains(%x: tensor<64xf32> {bufferization.writable = false}, %y: tensor<64xf32> {bufferization.writable = false}, %t: tensor<8xf32>, %u: tensor<8xf32>, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = scf.for %j = %c0 to %c64 step %c1 iter_args(%sum = %t) -> (tensor<8xf32>) {
    %4 = tensor.extract %0[%j] : tensor<64xf32>
    %5 = tensor.insert %4 into %sum[%i] : tensor<8xf32>
    scf.yield %5 : tensor<8xf32>
  }
  %2 = linalg.exp ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %3 = scf.for %j = %c0 to %c64 step %c1 iter_args(%sum = %u) -> (tensor<8xf32>) {
    %4 = tensor.extract %2[%j] : tensor<64xf32>
    %5 = tensor.insert %4 into %sum[%i] : tensor<8xf32>
    scf.yield %5 : tensor<8xf32>
  }
  return %1, %3 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// The second op of a chain comes before the first one of another chain. The call of a function
// that may have effects stays behind the one before it.
// CHECK-LABEL: func.func @breadth_first(
//  CHECK-SAME:   %[[X:[^ :]*]]: tensor<64xf32>{{.*}}, %[[Y:[^ :]*]]: tensor<64xf32>
//       CHECK:   halo.custom_call "first"
//       CHECK:   halo.custom_call "second"
//       CHECK:   %[[EXP:.*]] = linalg.exp ins(%[[X]] :
//       CHECK:   linalg.generic {{.*}} ins(%[[EXP]] :
//       CHECK:   %[[SORTED:.*]] = memref.alloc()
//       CHECK:   halo.custom_call "halo.sort"(%[[Y]]) outs(%[[SORTED]] :
//       CHECK:   %[[VALUE:.*]] = bufferization.to_tensor %[[SORTED]]
//       CHECK:   linalg.generic {{.*}} ins(%[[VALUE]] :
func.func @breadth_first(%x: tensor<64xf32> {bufferization.writable = false}, %y: tensor<64xf32> {bufferization.writable = false}, %t: tensor<f32>, %u: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  halo.custom_call "first"(%x) {operand_types = [tensor<64xf32>], result_types = []} : (tensor<64xf32>) -> ()
  %alloc = memref.alloc() : memref<64xf32>
  halo.custom_call "halo.sort"(%y) outs(%alloc : memref<64xf32>) {operand_types = [tensor<64xf32>], result_types = [tensor<64xf32>]} : (tensor<64xf32>) -> ()
  %0 = bufferization.to_tensor %alloc restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %1 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  halo.custom_call "second"(%x) {operand_types = [tensor<64xf32>], result_types = []} : (tensor<64xf32>) -> ()
  %2 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%1 : tensor<64xf32>) outs(%t : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.addf %a, %o : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  %3 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%0 : tensor<64xf32>) outs(%u : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.addf %a, %o : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  return %2, %3 : tensor<f32>, tensor<f32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// No order needs a copy that the order of the program does not: the old elements are read before
// they are overwritten.
// CHECK-LABEL: func.func @reads_before_writes(
//   CHECK-NOT:   copy(
//       CHECK:   return
func.func @reads_before_writes(%t: tensor<64xf32>, %x: tensor<64xf32> {bufferization.writable = false}, %y: tensor<64xf32> {bufferization.writable = false}, %a: tensor<64xf32>, %b: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %1 = linalg.exp ins(%y : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %2 = linalg.add ins(%0, %t : tensor<64xf32>, tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<64xf32>) outs(%t : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %5 = arith.addf %in, %out : f32
    linalg.yield %5 : f32
  } -> tensor<64xf32>
  %4 = linalg.abs ins(%1 : tensor<64xf32>) outs(%b : tensor<64xf32>) -> tensor<64xf32>
  return %2, %3, %4 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}
