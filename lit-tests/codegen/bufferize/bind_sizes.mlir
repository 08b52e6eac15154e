// RUN: halo-opt %s --halo-bind-sizes --split-input-file | FileCheck %s

// Equal sizes are one value, and the sizes of results are computed from those of arguments.

// CHECK-LABEL: func.func @main
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?x4xf32>, %[[N:.*]]: index, %[[M:.*]]: index) -> tensor<?x4xf32>
//   CHECK-DAG:   %[[EQUAL:.*]] = arith.cmpi eq, %[[N]], %[[M]]
//   CHECK-DAG:   %[[TWICE:.*]] = arith.addi %[[N]], %[[M]]
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
