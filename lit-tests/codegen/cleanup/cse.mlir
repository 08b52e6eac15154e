// RUN: halo-opt %s --halo-cse | FileCheck %s

// Upstream's pass merges the same ops.
// RUN: halo-opt %s --cse | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// Of ops that differ in their regions alone, the equal ones are merged.
// CHECK-LABEL: func.func @regions(
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3.0
// CHECK: %[[A:.*]] = linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[THREE]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[A]], %[[B]], %[[A]]
func.func @regions(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %again = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %two : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %three : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  // A constant that is merged first.
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %again : f32
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// The values that regions read from outside are merged first.
// CHECK-LABEL: func.func @captured(
// CHECK: %[[A:.*]] = tensor.extract
// CHECK-NOT: tensor.extract
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: linalg.yield %[[A]]
// CHECK-NOT: linalg.generic
// CHECK: return %[[R]], %[[R]]
func.func @captured(%x: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = tensor.extract %x[] : tensor<f32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %b = tensor.extract %x[] : tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    linalg.yield %b : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A read gives what an equal one before it in its block gave, if nothing was written since then:
// by an op, or in its regions.
// CHECK-LABEL: func.func @reads(
// CHECK-SAME: %[[M:[a-z0-9]+]]: memref<8xf32>, %[[N:[a-z0-9]+]]: memref<8xf32>, %[[I:.*]]: index,
// CHECK: %[[A:.*]] = memref.load %[[M]][%[[I]]]
// CHECK-NEXT: memref.store %[[A]], %[[N]][%[[I]]]
// CHECK-NEXT: %[[B:.*]] = memref.load %[[M]][%[[I]]]
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.load %[[M]][%[[I]]]
// CHECK-NEXT: memref.store
// CHECK: %[[C:.*]] = memref.load %[[M]][%[[I]]]
// CHECK-NEXT: scf.if %{{.*}} -> (f32)
// CHECK: return %[[A]], %[[A]], %[[B]], %[[C]], %[[C]]
func.func @reads(%m: memref<8xf32>, %n: memref<8xf32>, %i: index, %c: i1, %x: f32)
    -> (f32, f32, f32, f32, f32, f32) {
  %0 = memref.load %m[%i] : memref<8xf32>
  %1 = memref.load %m[%i] : memref<8xf32>
  memref.store %1, %n[%i] : memref<8xf32>
  %2 = memref.load %m[%i] : memref<8xf32>
  scf.if %c {
    %inner = memref.load %m[%i] : memref<8xf32>
    memref.store %inner, %n[%i] : memref<8xf32>
  }
  %3 = memref.load %m[%i] : memref<8xf32>
  %4 = scf.if %c -> f32 {
    %inner = memref.load %n[%i] : memref<8xf32>
    scf.yield %inner : f32
  } else {
    scf.yield %x : f32
  }
  %5 = memref.load %m[%i] : memref<8xf32>
  return %0, %1, %2, %3, %5, %4 : f32, f32, f32, f32, f32, f32
}

// The order of the operands of a sum does not matter; that of a difference does.
// CHECK-LABEL: func.func @order(
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK-NOT: arith.addi
// CHECK: %[[D:.*]] = arith.subi
// CHECK: %[[E:.*]] = arith.subi
// CHECK: return %[[SUM]], %[[SUM]], %[[D]], %[[E]]
func.func @order(%a: index, %b: index) -> (index, index, index, index) {
  %0 = arith.addi %a, %b : index
  %1 = arith.addi %b, %a : index
  %2 = arith.subi %a, %b : index
  %3 = arith.subi %b, %a : index
  return %0, %1, %2, %3 : index, index, index, index
}

// A block knows what the blocks that dominate it have computed, and no others.
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[SUM:.*]] = arith.addi
// CHECK: ^bb1:
// CHECK-NEXT: %[[P:.*]] = arith.muli
// CHECK-NEXT: call @use(%[[SUM]])
// CHECK-NEXT: call @use(%[[P]])
// CHECK: ^bb2:
// CHECK-NEXT: %[[Q:.*]] = arith.muli
// CHECK-NEXT: call @use(%[[Q]])
// CHECK: ^bb3:
// CHECK-NEXT: %[[R:.*]] = arith.muli
// CHECK-NEXT: call @use(%[[R]])
// CHECK-NEXT: call @use(%[[SUM]])
func.func private @use(index)
func.func @blocks(%a: index, %b: index, %c: i1) {
  %0 = arith.addi %a, %b : index
  call @use(%0) : (index) -> ()
  cf.cond_br %c, ^one, ^other
^one:
  %1 = arith.addi %a, %b : index
  %2 = arith.muli %a, %b : index
  call @use(%1) : (index) -> ()
  call @use(%2) : (index) -> ()
  cf.br ^end
^other:
  %3 = arith.muli %a, %b : index
  call @use(%3) : (index) -> ()
  cf.br ^end
^end:
  %4 = arith.muli %a, %b : index
  %5 = arith.addi %a, %b : index
  call @use(%4) : (index) -> ()
  call @use(%5) : (index) -> ()
  cf.br ^return
^return:
  return
}

// What is isolated computes for itself.
// CHECK-LABEL: module @isolated
// CHECK: func.func @one
// CHECK: arith.constant 7
// CHECK: func.func @other
// CHECK: arith.constant 7
module @isolated {
  func.func @one() -> index {
    %0 = arith.constant 7 : index
    return %0 : index
  }
  func.func @other() -> index {
    %0 = arith.constant 7 : index
    return %0 : index
  }
}

// An attribute of the program stays.
// CHECK-LABEL: func.func @attribute(
// CHECK: scf.if
// CHECK: } {note}
func.func @attribute(%c: i1, %x: f32, %y: f32) -> f32 {
  %0 = scf.if %c -> f32 {
    scf.yield %x : f32
  } else {
    scf.yield %y : f32
  } {note}
  return %0 : f32
}
