// RUN: halo-opt %s --split-input-file --halo-destination-passing | FileCheck %s

#map = affine_map<(d0) -> (d0)>

// The op that computes the result writes to the result's buffer.
// CHECK-LABEL: func.func private @entry(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[X:.*]]: tensor<4xf32> {bufferization.writable = false}, %[[OUT:.*]]: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> attributes {halo.entry}
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[OUT]] : tensor<4xf32>)
// CHECK: bufferization.materialize_in_destination %[[RESULT]] in %[[OUT]]
func.func @entry(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What both results are filled with is stored in each of them.
// CHECK-LABEL: func.func private @twice(
// CHECK-SAME: %[[OUT0:[^ ]*]]: tensor<4xf32> {bufferization.writable = true}, %[[OUT1:[^ ]*]]: tensor<4xf32> {bufferization.writable = true})
// CHECK-DAG: linalg.fill {{.*}} outs(%[[OUT0]]
// CHECK-DAG: linalg.fill {{.*}} outs(%[[OUT1]]
func.func @twice(%s: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>

// So are the elements that an op computes.
// CHECK-LABEL: func.func private @computed_twice(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<4xf32> {bufferization.writable = false}, %[[OUT0:[^ ]*]]: tensor<4xf32> {bufferization.writable = true}, %[[OUT1:[^ ]*]]: tensor<2x2xf32> {bufferization.writable = true})
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[OUT1]]
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<4xf32>) outs(%[[FLAT]], %[[OUT0]] :
// CHECK: %[[Y:.*]] = math.exp
// CHECK: linalg.yield %[[Y]], %[[Y]] : f32, f32
func.func @computed_twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>

// A state that is collected is stored in the collection and where the loop carries it,
// and the two start from zeros of their own.
// CHECK-LABEL: func.func private @collected(
// CHECK-COUNT-2: linalg.generic {{.*}} outs(
// CHECK: scf.for {{.*}} iter_args(%[[STATE:.*]] = %{{.*}}, %[[ALL:.*]] = %{{.*}})
// CHECK: %[[NEXT:.*]]:2 = linalg.generic {{.*}} ins(%[[STATE]] : tensor<4xf32>) outs(%[[STATE]], %{{.*}} :
// CHECK: tensor.insert_slice %[[NEXT]]#1 into %[[ALL]]
// CHECK: scf.yield %[[NEXT]]#0,
func.func @collected() -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<4xf32>
  %zeros = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %zero : f32
  } -> tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%state = %zeros, %all = %zeros) -> (tensor<4xf32>, tensor<4xf32>) {
    %next = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%state : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %1 = math.exp %a : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    %half = tensor.insert_slice %next into %all[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
    scf.yield %next, %half : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// The destination is seen through reshapes.
// CHECK-LABEL: func.func private @reshaped(
// CHECK-SAME: %[[OUT:[^ ]*]]: tensor<2x2xf32> {bufferization.writable = true})
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[OUT]]
// CHECK: linalg.fill {{.*}} outs(%[[FLAT]] : tensor<4xf32>)
func.func @reshaped(%s: f32) -> tensor<2x2xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// -----

// A loop computes what it carries over what it carried.
// CHECK-LABEL: func.func private @loop(
// CHECK: ^bb0(%[[CARRIED:.*]]: tensor<f32>):
// CHECK: %[[NEXT:.*]] = linalg.generic {{.*}} outs(%[[CARRIED]] : tensor<f32>)
// CHECK: scf.yield %[[NEXT]]
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  %0 = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %s = tensor.extract %a[] : tensor<f32>
    %c = arith.constant 1.0 : f32
    %p = arith.cmpf ogt, %s, %c : f32
    scf.condition(%p) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %e = tensor.empty() : tensor<f32>
    %n = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%a : tensor<f32>) outs(%e : tensor<f32>) {
    ^bb0(%s: f32, %o: f32):
      %h = math.sqrt %s : f32
      linalg.yield %h : f32
    } -> tensor<f32>
    scf.yield %n : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// The branches of a conditional write to one tensor.
// CHECK-LABEL: func.func private @branches(
// CHECK: %[[PLACE:.*]] = tensor.empty() : tensor<f32>
// CHECK: scf.if
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[PLACE]]
// CHECK: else
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[PLACE]]
func.func @branches(%p: i1, %x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = scf.if %p -> tensor<f32> {
    scf.yield %x : tensor<f32>
  } else {
    scf.yield %y : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// A condition that drops what the body does not use, passes on others in
// another order, and one from around the loop: each carried value keeps its
// place.
// CHECK-LABEL: func.func private @rearranged(
// CHECK-SAME: %[[X:[^ ,:]*]]: tensor<f32> {bufferization.writable = false}, %[[Y:[^ ,:]*]]: tensor<f32> {bufferization.writable = false}, %[[Z:[^ ,:]*]]: tensor<f32> {bufferization.writable = false}
// CHECK: %[[LOOP:.*]]:3 = scf.while (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[Y]], %[[C:.*]] = %[[X]])
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[B]], %[[C]] : tensor<f32>, tensor<f32>, tensor<f32>
// CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>):
// CHECK: scf.yield %[[C]], %[[Z]], %[[B]]
// CHECK: bufferization.materialize_in_destination %[[LOOP]]#2
// CHECK: bufferization.materialize_in_destination %[[LOOP]]#1
// CHECK: bufferization.materialize_in_destination %[[Z]]
func.func @rearranged(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0:3 = scf.while (%a = %x, %b = %y, %c = %x) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    %s = tensor.extract %a[] : tensor<f32>
    %t = arith.constant 1.0 : f32
    %q = arith.cmpf ogt, %s, %t : f32
    scf.condition(%q) %c, %b, %z : tensor<f32>, tensor<f32>, tensor<f32>
  } do {
  ^bb0(%c: tensor<f32>, %b: tensor<f32>, %d: tensor<f32>):
    scf.yield %c, %d, %b : tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1, %0#2 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// A tensor that the condition computes gets a place; a scalar is passed on.
// CHECK-LABEL: func.func private @computed(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<f32>
// CHECK: %[[LOOP:.*]]:3 = scf.while (%[[A:.*]] = %{{.*}}, %[[PLACE:.*]] = %[[EMPTY]])
// CHECK: %[[ROOT:.*]] = math.sqrt
// CHECK: %[[TENSOR:.*]] = tensor.from_elements %[[ROOT]]
// CHECK: %[[PLACED:.*]] = bufferization.materialize_in_destination %[[TENSOR]] in %[[PLACE]]
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[PLACED]], %[[ROOT]] : tensor<f32>, tensor<f32>, f32
// CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %[[PLACE:.*]]: tensor<f32>, %[[ROOT:.*]]: f32):
// CHECK: scf.yield %[[PLACE]], %[[PLACE]]
// CHECK: tensor.from_elements %[[LOOP]]#2
func.func @computed(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = scf.while (%a = %x) : (tensor<f32>) -> (tensor<f32>, f32) {
    %s = tensor.extract %a[] : tensor<f32>
    %t = arith.constant 1.0 : f32
    %r = math.sqrt %s : f32
    %v = tensor.from_elements %r : tensor<f32>
    %q = arith.cmpf ogt, %s, %t : f32
    scf.condition(%q) %v, %r : tensor<f32>, f32
  } do {
  ^bb0(%v: tensor<f32>, %r: f32):
    scf.yield %v : tensor<f32>
  }
  %1 = tensor.from_elements %0#1 : tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A custom call writes its results to buffers that it gets beside its inputs.
// CHECK-LABEL: func.func private @custom_call(
// CHECK: %[[FIRST:.*]] = memref.alloc() : memref<2xi1>
// CHECK: %[[SECOND:.*]] = memref.alloc() : memref<f32>
// CHECK: halo.custom_call "target"(%{{.*}}) outs(%[[FIRST]], %[[SECOND]] : memref<2xi1>, memref<f32>) {{{.*}}operand_layouts = [array<i64: 0>]{{.*}}} : (tensor<4xf32>) -> ()
// CHECK: %[[A:.*]] = bufferization.to_tensor %[[FIRST]] restrict writable
// CHECK: %[[B:.*]] = bufferization.to_tensor %[[SECOND]] restrict writable
// CHECK: bufferization.materialize_in_destination %[[A]] in
// CHECK: bufferization.materialize_in_destination %[[B]] in
func.func @custom_call(%x: tensor<4xf32>) -> (tensor<2xi1>, tensor<f32>) {
  %0:2 = halo.custom_call "target"(%x) {operand_layouts = [array<i64: 0>], operand_types = [tensor<4xf32>], result_types = [tensor<2xi1>, tensor<f32>]} : (tensor<4xf32>) -> (tensor<2xi1>, tensor<f32>)
  return %0#0, %0#1 : tensor<2xi1>, tensor<f32>
}

// -----

// What has no elements is passed flat, since its type does not tell strides.
// CHECK-LABEL: func.func private @without_elements(
// CHECK-SAME: tensor<0xf32> {bufferization.writable = false}, %[[OUT:.*]]: tensor<0xi1> {bufferization.writable = true}) -> tensor<0xi1>
// CHECK: %[[PLACE:.*]] = memref.alloc() : memref<0xi1>
// CHECK: %[[OPERAND:.*]] = tensor.empty() : tensor<0xf32>
// CHECK: halo.custom_call "target"(%[[OPERAND]]) outs(%[[PLACE]] : memref<0xi1>)
// CHECK: %[[RESULT:.*]] = tensor.empty() : tensor<0xi1>
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[OUT]]
func.func @without_elements(%x: tensor<4x0xf32>) -> tensor<5x0x2xi1> {
  %0 = halo.custom_call "target"(%x) {operand_types = [tensor<4x0xf32>], result_types = [tensor<5x0x2xi1>]} : (tensor<4x0xf32>) -> tensor<5x0x2xi1>
  return %0 : tensor<5x0x2xi1>
}

// -----

// What replaces elements of a carried tensor writes over it as it stands, in an
// inner loop and in a condition, too.
// CHECK-LABEL: func.func private @in_place(
// CHECK: %[[LOOP:.*]] = scf.for {{.*}} iter_args(%[[OUTER:.*]] = %{{.*}}) -> (tensor<4xf32>)
// CHECK-NEXT: %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[OUTER]]) -> (tensor<4xf32>)
// CHECK-NOT: materialize_in_destination
// CHECK: %[[NEXT:.*]] = scf.if
// CHECK: tensor.insert %{{.*}} into %[[T]]
// CHECK-NOT: materialize_in_destination
// CHECK: scf.yield %[[NEXT]]
// CHECK: scf.yield %[[INNER]]
// CHECK: materialize_in_destination %[[LOOP]]
func.func @in_place(%x: tensor<4xf32>, %n: index, %p: i1) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%o = %e) -> (tensor<4xf32>) {
    %1 = scf.for %j = %c0 to %n step %c1 iter_args(%t = %o) -> (tensor<4xf32>) {
      %2 = scf.if %p -> (tensor<4xf32>) {
        %3 = tensor.extract %t[%j] : tensor<4xf32>
        %4 = arith.addf %3, %3 : f32
        %5 = tensor.insert %4 into %t[%j] : tensor<4xf32>
        scf.yield %5 : tensor<4xf32>
      } else {
        scf.yield %t : tensor<4xf32>
      }
      scf.yield %2 : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// What loops and branches replace elements of has its place already.
// CHECK-LABEL: func.func private @updates
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}})
// CHECK-NOT: materialize_in_destination
// CHECK-NOT: tensor.empty
// CHECK: %[[UPDATED:.*]] = tensor.insert %{{.*}} into %[[CARRIED]]
// CHECK-NEXT: scf.yield %[[UPDATED]]
// CHECK: scf.yield %[[CARRIED]]
// CHECK-NOT: materialize_in_destination
// CHECK: scf.yield
func.func @updates(%x: tensor<8xf32>, %within: i1, %element: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%carried = %x) -> (tensor<8xf32>) {
    %1 = scf.if %within -> (tensor<8xf32>) {
      %2 = tensor.insert %element into %carried[%i] : tensor<8xf32>
      scf.yield %2 : tensor<8xf32>
    } else {
      scf.yield %carried : tensor<8xf32>
    }
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// What starts from an argument is made on a copy of it in the result's buffer;
// one copy, not two.
// CHECK-LABEL: func.func private @update(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<8xf32> {bufferization.writable = false}
// CHECK-SAME: %[[OUT:[^ ]*]]: tensor<8xf32> {bufferization.writable = true})
// CHECK: %[[COPY:.*]] = bufferization.materialize_in_destination %[[X]] in %[[OUT]]
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[COPY]])
// CHECK: bufferization.materialize_in_destination %[[R]] in %[[OUT]]
func.func @update(%x: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %0 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %1 = tensor.insert %f into %a[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>

// What shares its memory with a result is moved there first, and read and updated there.
// CHECK-LABEL: func.func private @shared(
// CHECK-SAME: %[[W:[^ :]*]]: tensor<4xf32> {bufferization.writable = false, tf.aliasing_output = 1 : i32}
// CHECK-SAME: %[[OLD:[^ :]*]]: tensor<4xf32> {bufferization.writable = true}, %[[NEW:[^ :]*]]: tensor<4xf32> {bufferization.writable = true})
// CHECK: %[[MOVED:.*]] = bufferization.materialize_in_destination %[[W]] in %[[NEW]]
// CHECK: %[[UPDATED:.*]] = linalg.generic {{.*}} ins(%[[MOVED]] : tensor<4xf32>) outs(%[[NEW]] : tensor<4xf32>)
// CHECK: bufferization.materialize_in_destination %[[MOVED]] in %[[OLD]]
// CHECK: bufferization.materialize_in_destination %[[UPDATED]] in %[[NEW]]
func.func @shared(%w: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%w : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %w, %0 : tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// A product whose elements are read where the result is written is computed in the
// result's buffer, and so is a value that another op reads before.
// CHECK-LABEL: func.func private @product(
// CHECK-SAME: %[[OUT:[^ :]*]]: tensor<4x4xf32> {bufferization.writable = true}, %[[OUT2:[^ :]*]]: tensor<4x4xf32> {bufferization.writable = true})
// CHECK: %[[FILL:.*]] = linalg.fill {{.*}} outs(%[[OUT]] : tensor<4x4xf32>)
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} outs(%[[FILL]] : tensor<4x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[PRODUCT]] : {{.*}}) outs(%[[OUT]] : tensor<4x4xf32>)
// CHECK: %[[TWICE:.*]] = linalg.generic {{.*}} outs(%[[OUT2]] : tensor<4x4xf32>)
// CHECK: tensor.extract %[[TWICE]]
// CHECK: linalg.generic {{.*}} outs(%[[OUT2]] : tensor<4x4xf32>)
func.func @product(%x: tensor<4x4xf32>, %bias: tensor<4xf32>, %i: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %9 = arith.mulf %p, %q : f32
    %10 = arith.addf %o, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%bias, %1 : tensor<4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %9 = arith.addf %p, %q : f32
    linalg.yield %9 : f32
  } -> tensor<4x4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.exp %p : f32
    linalg.yield %9 : f32
  } -> tensor<4x4xf32>
  %4 = tensor.extract %3[%i, %i] : tensor<4x4xf32>
  %5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = arith.addf %p, %4 : f32
    linalg.yield %9 : f32
  } -> tensor<4x4xf32>
  return %2, %5 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A loop that overwrites what an earlier one read works on the result, too.
// CHECK-LABEL: func.func private @passes(
// CHECK-SAME: %[[OUT:[^ ]*]]: tensor<8xf32> {bufferization.writable = true})
// CHECK: %[[FIRST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[OUT]])
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: tensor.extract %[[FIRST]]
// CHECK: %[[LAST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: bufferization.materialize_in_destination %[[LAST]] in %[[OUT]]
func.func @passes(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %first = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %empty) -> (tensor<8xf32>) {
    %0 = tensor.extract %x[%i] : tensor<8xf32>
    %1 = tensor.insert %0 into %t[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (f32) {
    %0 = tensor.extract %first[%i] : tensor<8xf32>
    %1 = arith.addf %s, %0 : f32
    scf.yield %1 : f32
  }
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %first) -> (tensor<8xf32>) {
    %1 = tensor.insert %sum into %t[%i] : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %last : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A result that another op reads is computed in its destination: nothing overwrites it. Twice
// returned, it is computed in both. So is an operand of the last op that an op before it reads.
// CHECK-LABEL: func.func private @read_again(
// CHECK-SAME: %[[R0:[^ ]*]]: tensor<8xf32> {bufferization.writable = true}, %[[R1:[^ ]*]]: tensor<8xf32> {bufferization.writable = true}, %[[R2:[^ ]*]]: tensor<8xf32> {bufferization.writable = true}, %{{.*}}: tensor<f32> {bufferization.writable = true})
// CHECK: %[[EXP:.*]]:2 = linalg.generic {{.*}} outs(%[[R0]], %[[R2]] : tensor<8xf32>, tensor<8xf32>)
// CHECK: %[[SIN:.*]] = linalg.generic {{.*}} ins(%[[EXP]]#0 : tensor<8xf32>) outs(%[[R1]] : tensor<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SIN]] : tensor<8xf32>) outs(%{{.*}} : tensor<f32>)
// CHECK: %[[COS:.*]] = linalg.generic {{.*}} ins(%[[SIN]] : tensor<8xf32>) outs(%[[R1]] : tensor<8xf32>)
// CHECK: materialize_in_destination %[[EXP]]#0 in %[[R0]]
// CHECK: materialize_in_destination %[[COS]] in %[[R1]]
// CHECK: materialize_in_destination %[[EXP]]#1 in %[[R2]]
func.func @read_again(%x: tensor<8xf32>, %start: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.exp %p : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.sin %p : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%1 : tensor<8xf32>) outs(%start : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = arith.addf %p, %o : f32
    linalg.yield %9 : f32
  } -> tensor<f32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.cos %p : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32>
  return %0, %3, %0, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// An op that also reads another part of its operand does not overwrite it.
// CHECK-LABEL: func.func private @by_its_last(
// CHECK: linalg.generic {{.*}} outs(%[[OWN:[0-9]+]] : tensor<8xf32>)
// CHECK: linalg.generic {{.*}} outs(%arg2 : tensor<8xf32>)
func.func @by_its_last(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.exp %p : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32>
  %1 = tensor.extract_slice %0[7] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(d0) -> (0)>, #id], iterator_types = ["parallel"]} ins(%0, %1 : tensor<8xf32>, tensor<1xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %9 = arith.divf %p, %q : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What is computed in the place of one result is not moved to that of another one.
// CHECK-LABEL: func.func private @one_place(
// CHECK-SAME: %[[OUT0:[^ ,:]*]]: tensor<8xf32> {bufferization.writable = true}, %[[OUT1:[^ ,:]*]]: tensor<8xf32> {bufferization.writable = true}
// CHECK-NOT: materialize_in_destination
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} outs(%[[OUT0]] : tensor<8xf32>)
// CHECK-NOT: materialize_in_destination
// CHECK: linalg.generic {{.*}} ins(%[[EXP]] : tensor<8xf32>) outs(%[[OUT0]], %[[OUT1]] : tensor<8xf32>, tensor<8xf32>)
func.func @one_place(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.exp %p : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32>
  %1:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%p: f32, %o0: f32, %o1: f32):
    %8 = math.sin %p : f32
    %9 = math.cos %p : f32
    linalg.yield %8, %9 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Scans of blocks are computed in the place of a reshaped result, and read before their sums
// overwrite them.
// CHECK-LABEL: func.func private @reshaped(
// CHECK-SAME: %[[OUT:[^ ,:]*]]: tensor<32xf32> {bufferization.writable = true}
// CHECK: %[[PLACE:.*]] = tensor.expand_shape %[[OUT]]
// CHECK: %[[SCANS:.*]] = linalg.generic {{.*}} outs(%[[PLACE]] : tensor<4x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SCANS]], %{{.*}}) outs(%[[PLACE]] : tensor<4x8xf32>)
func.func @reshaped(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %e4 = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.exp %p : f32
    linalg.yield %9 : f32
  } -> tensor<4x8xf32>
  %last = tensor.extract_slice %0[0, 7] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4x1xf32>
  %1 = tensor.collapse_shape %last [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%e4 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %2 : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %9 = arith.addf %p, %q : f32
    linalg.yield %9 : f32
  } -> tensor<4x8xf32>
  %4 = tensor.collapse_shape %3 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %4 : tensor<32xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A place of dynamic sizes is before all ops that write to it.
// CHECK-LABEL: func.func private @reshaped_dynamic(
// CHECK: %[[PLACE:.*]] = tensor.expand_shape
// CHECK: linalg.generic {{.*}} outs(%[[PLACE]] : tensor<?x?xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[PLACE]] : tensor<?x?xf32>)
func.func @reshaped_dynamic(%x: tensor<?x?xf32>, %m: index, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %9 = math.exp %p : f32
    linalg.yield %9 : f32
  } -> tensor<?x?xf32>
  %e1 = tensor.empty(%m, %n) : tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e1 : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %9 = arith.addf %p, %q : f32
    linalg.yield %9 : f32
  } -> tensor<?x?xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  return %2 : tensor<?xf32>
}
