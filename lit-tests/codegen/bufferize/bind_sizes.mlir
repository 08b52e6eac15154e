// RUN: halo-opt %s --halo-bind-sizes --split-input-file | FileCheck %s

// Equal sizes are one value, and the sizes of results are computed from those of arguments.

// CHECK-LABEL: func.func @main
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?x4xf32>, %[[N:.*]]: index, %[[M:.*]]: index) -> tensor<?x4xf32>
//   CHECK-DAG:   %[[EQUAL:.*]] = arith.cmpi eq, %[[N]], %[[M]]
//   CHECK-DAG:   %[[TWICE:.*]] = arith.addi %[[N]], %[[N]]
//       CHECK:   halo.plan_sizes(%[[TWICE]]) checks(%[[EQUAL]]) {messages = ["x and y have different sizes"]}
//   CHECK-NOT:   cf.assert
//   CHECK-NOT:   tensor.dim
//       CHECK:   tensor.concat dim(0) %[[X]], %[[Y]]
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %m = tensor.dim %y, %c0 : tensor<?x4xf32>
  %equal = arith.cmpi eq, %n, %m : index
  cf.assert %equal, "x and y have different sizes"
  %0 = tensor.concat dim(0) %x, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A loop that keeps the sizes of its values.

// CHECK-LABEL: func.func @loop
//  CHECK-SAME:   (%{{.*}}: tensor<?xf32>, %[[N:.*]]: index)
//       CHECK:   halo.plan_sizes(%[[N]]) {messages = []}
//   CHECK-NOT:   tensor.dim
//       CHECK:   tensor.empty(%[[N]])
func.func @loop(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %r:2 = scf.while (%i = %zero, %a = %x) : (i32, tensor<?xf32>) -> (i32, tensor<?xf32>) {
    %p = arith.cmpi slt, %i, %ten : i32
    scf.condition(%p) %i, %a : i32, tensor<?xf32>
  } do {
  ^bb0(%i: i32, %a: tensor<?xf32>):
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    %b = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next, %b : i32, tensor<?xf32>
  }
  return %r#1 : tensor<?xf32>
}

// -----

// A condition on elements is checked when the program gets there.

// CHECK-LABEL: func.func @elements
//       CHECK:   halo.plan_sizes(%{{.*}}) {messages = []}
//       CHECK:   %[[N:.*]] = tensor.extract
//       CHECK:   %[[HOLDS:.*]] = arith.cmpi sge, %[[N]]
//       CHECK:   %[[CONDITION:.*]] = tensor.from_elements %[[HOLDS]] : tensor<i1>
//       CHECK:   halo.custom_call "shape_assertion"(%[[CONDITION]]) {backend_config = "the start is negative"
func.func @elements(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : i32
  %0 = tensor.extract %n[] : tensor<i32>
  %1 = arith.cmpi sge, %0, %zero : i32
  cf.assert %1, "the start is negative"
  return %x : tensor<?xf32>
}

// -----

// Static programs stay as they are.

// CHECK-LABEL: func.func @static
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32> {
//  CHECK-NEXT:   return %[[X]]
func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// An element that decides a size is an argument, in all its uses.

// CHECK-LABEL: func.func @of_element
//  CHECK-SAME:   (%{{.*}}: tensor<2x3xi32>, %[[E:.*]]: i64) -> (tensor<?xf32>, tensor<i32>) attributes {halo.size_elements = array<i64: 0, 4>}
//       CHECK:   %[[I32:.*]] = arith.trunci %[[E]] : i64 to i32
//       CHECK:   %[[SIZE:.*]] = arith.index_cast %[[I32]] : i32 to index
//       CHECK:   halo.plan_sizes(%[[SIZE]])
//       CHECK:   tensor.empty(%[[SIZE]])
//       CHECK:   tensor.from_elements %[[I32]]
func.func @of_element(%n: tensor<2x3xi32>) -> (tensor<?xf32>, tensor<i32>) {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract %n[%c1, %c1] : tensor<2x3xi32>
  %1 = arith.index_cast %0 : i32 to index
  %2 = tensor.empty(%1) : tensor<?xf32>
  %3 = tensor.from_elements %0 : tensor<i32>
  return %2, %3 : tensor<?xf32>, tensor<i32>
}

// -----

// Branches with values of one size, in a loop that updates a value of dynamic size.

// CHECK-LABEL: func.func @branches
//  CHECK-SAME:   (%{{.*}}: tensor<?xf32>, %{{.*}}: i1, %{{.*}}: index, %[[N:.*]]: index)
//       CHECK:   halo.plan_sizes(%[[N]]) {messages = []}
//       CHECK:   scf.for
//       CHECK:     scf.if %{{.*}} -> (tensor<?xf32>) {
//   CHECK-NOT:   tensor.dim
func.func @branches(%x: tensor<?xf32>, %p: i1, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %0 = scf.if %p -> (tensor<?xf32>) {
      %n = tensor.dim %a, %c0 : tensor<?xf32>
      %e = tensor.empty(%n) : tensor<?xf32>
      %1 = linalg.exp ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      scf.yield %1 : tensor<?xf32>
    } else {
      %1 = tensor.extract %x[%i] : tensor<?xf32>
      %2 = tensor.insert %1 into %a[%c0] : tensor<?xf32>
      scf.yield %2 : tensor<?xf32>
    }
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// A selected tensor has a selected size.

// CHECK-LABEL: func.func @selected
//  CHECK-SAME:   (%{{.*}}: tensor<?xf32>, %{{.*}}: tensor<?xf32>, %[[P:.*]]: i1, %[[N:.*]]: index, %{{.*}}: index)
//       CHECK:   halo.plan_sizes(%[[N]])
//   CHECK-NOT:   tensor.dim
func.func @selected(%x: tensor<?xf32>, %y: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %equal = arith.cmpi eq, %n, %m : index
  cf.assert %equal, "x and y have different sizes"
  %0 = arith.select %p, %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
