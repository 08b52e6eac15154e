// RUN: halo-opt %s --split-input-file --halo-insert-tensor-copies=explain --verify-diagnostics -o /dev/null

// The memory of an argument, of a constant, and what is not writable is copied, and so is
// what another op may hold.
func.func @not_writable(%x: tensor<4xf32> {bufferization.writable = false}, %y: memref<4xf32>, %z: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @+1 {{overwrites a copy of a tensor: its memory is that of an argument}}
  %0 = tensor.insert %f into %x[%i] : tensor<4xf32>
  %c = arith.constant dense<1.0> : tensor<4xf32>
  // expected-remark @+1 {{overwrites a copy of a tensor: its memory is that of a constant}}
  %1 = tensor.insert %f into %c[%i] : tensor<4xf32>
  %t = bufferization.to_tensor %y : memref<4xf32> to tensor<4xf32>
  // expected-remark @+1 {{overwrites a copy of a tensor: its memory is not to be written to}}
  %2 = tensor.insert %f into %t[%i] : tensor<4xf32>
  %u = builtin.unrealized_conversion_cast %z : tensor<4xf32> to tensor<4xf32>
  // expected-remark @+1 {{overwrites a copy of a tensor: another op may hold its memory}}
  %3 = tensor.insert %f into %u[%i] : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is read later stays: it is overwritten in a copy, or what does not read it is computed
// elsewhere.
func.func @read_later(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @+1 {{overwrites a copy of a tensor: its old elements are read later}}
  %0 = tensor.insert %f into %x[%i] : tensor<4xf32>
  // expected-remark @+1 {{is not computed in its destination: its old elements are read later}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  // expected-note @+1 {{the reader}}
  %2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %3 = arith.addf %a, %b : f32
    %4 = arith.addf %c, %b : f32
    %5 = arith.addf %3, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Two results are not in one place, and iterations do not share one.
func.func @shared(%x1: tensor<1xf32>, %x: tensor<4xf32>, %y: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  // expected-remark @+1 {{is not computed in its destination: another result of the op is there}}
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y, %y : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %o0: f32, %o1: f32):
    %1 = math.exp %a : f32
    linalg.yield %a, %1 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %result = tensor.empty() : tensor<8xf32>
  %2 = scf.forall (%i) in (8) shared_outs(%out = %result) -> (tensor<8xf32>) {
    // expected-remark @+1 {{is not computed in its destination: all iterations of a parallel loop would write to it}}
    %part = linalg.fill ins(%f : f32) outs(%x1 : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %out[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0#0, %0#1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

// -----

// Values that change places.
func.func @swap(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    // expected-remark @+2 {{overwrites a tensor, which is copied before: its old elements are read later}}
    // expected-note @+1 {{the reader}}
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A tensor that is read behind the conditional, and one that is not writable.
func.func @branches(%t: tensor<8xf32>, %u: tensor<8xf32> {bufferization.writable = false}, %p: i1, %f: f32, %i: index) -> (tensor<8xf32>, tensor<8xf32>, f32) {
  // expected-remark @+1 {{has branches that overwrite a copy of a tensor: its old elements are read later}}
  %0 = scf.if %p -> (tensor<8xf32>) {
    %1 = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  // expected-remark @+1 {{has branches that overwrite a copy of a tensor: its memory is that of an argument}}
  %2 = scf.if %p -> (tensor<8xf32>) {
    %1 = tensor.insert %f into %u[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %u : tensor<8xf32>
  }
  %3 = tensor.extract %0[%i] : tensor<8xf32>
  %4 = tensor.extract %t[%i] : tensor<8xf32>
  %5 = arith.addf %3, %4 : f32
  return %0, %2, %5 : tensor<8xf32>, tensor<8xf32>, f32
}

// -----

// A slice that overlaps its new place.
func.func @slice(%t: tensor<8xf32>, %i: index, %j: index) -> tensor<8xf32> {
  %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // expected-remark @+1 {{inserts a copy of a tensor: it is in another part of the memory that it is inserted into}}
  %1 = tensor.insert_slice %0 into %t[%j] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is inserted is computed apart if something else needs it, if it is an update of another
// tensor, or if a loop or the place is behind it.
func.func @apart(%x: tensor<4xf32>, %own: tensor<4xf32>, %t: tensor<8xf32>, %u: tensor<8xf32>, %v: tensor<8xf32>, %w: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @+1 {{is not computed in the slice for its result: something else needs the result}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %1 = tensor.insert_slice %0 into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-remark @+1 {{is not computed in the slice for its result: it overwrites another tensor}}
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%own : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %3 = tensor.insert_slice %2 into %u[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-remark @+1 {{is not computed in the slice for its result: it is computed outside of the loop or branch}}
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %5 = scf.for %i = %c0 to %c4 step %c1 iter_args(%all = %v) -> (tensor<8xf32>) {
    %6 = tensor.insert_slice %4 into %all[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %6 : tensor<8xf32>
  }
  // expected-remark @+1 {{is not computed in the slice for its result: the place of the slice is computed behind it}}
  %7:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %o0: f32, %o1: f32):
    %9 = math.exp %a : f32
    linalg.yield %a, %9 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %8 = tensor.extract %7#0[%c0] : tensor<4xf32>
  %10 = arith.fptosi %8 : f32 to i32
  %at = arith.index_cast %10 : i32 to index
  %11 = tensor.insert_slice %7#1 into %w[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1, %3, %5, %11, %0, %7#0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>
}
