// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Ops that apply a body to many elements.

// CHECK-LABEL: func.func @reduce_by_one_op(
// CHECK: %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.add across dimensions = [0, 1] {tag} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
func.func @reduce_by_one_op(%a: tensor<2x3xf32>, %z: tensor<f32>) {
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0, 1] {tag} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @reduce_by_a_body(
// CHECK: %0:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %arg3) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
// CHECK: reducer(%arg4: tensor<f32>, %arg6: tensor<f32>) (%arg5: tensor<i32>, %arg7: tensor<i32>)  {
// CHECK: %1 = stablehlo.add %arg4, %arg6 : tensor<f32>
// CHECK: %2 = stablehlo.maximum %arg5, %arg7 : tensor<i32>
// CHECK: stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
func.func @reduce_by_a_body(%a: tensor<2x3xf32>, %i: tensor<2x3xi32>, %z: tensor<f32>, %y: tensor<i32>) {
  %0:2 = stablehlo.reduce(%a init: %z), (%i init: %y) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%x0: tensor<f32>, %x1: tensor<f32>) (%n0: tensor<i32>, %n1: tensor<i32>) {
    %1 = stablehlo.add %x0, %x1 : tensor<f32>
    %2 = stablehlo.maximum %n0, %n1 : tensor<i32>
    stablehlo.return %1, %2 : tensor<f32>, tensor<i32>
  }
  return
}

// CHECK-LABEL: func.func @windows(
// CHECK: %0 = "stablehlo.reduce_window"(%arg0, %arg2) <{padding = dense<{{\[\[}}1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: %2 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x2xf32>
// CHECK: %1 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: %2 = stablehlo.compare GE, %arg3, %arg4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %2 : tensor<i1>
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: %2 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
func.func @windows(%a: tensor<4x6xf32>, %s: tensor<2x2xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %z) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x2xf32>
  %2 = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: func.func @others(
// CHECK: %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: stablehlo.return %arg4 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
// CHECK: %1 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: %3 = stablehlo.compare LT, %arg3, %arg4, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %3 : tensor<i1>
// CHECK: }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %2 = "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0, 1>}> ({
// CHECK: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK: %3 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
// CHECK: stablehlo.return %3 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
func.func @others(%a: tensor<4x6xf32>, %i: tensor<2x1xi32>, %u: tensor<2x6xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}
