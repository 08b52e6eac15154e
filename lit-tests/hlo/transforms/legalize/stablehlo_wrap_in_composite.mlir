// RUN: halo-opt %s --stablehlo-wrap-in-composite="op-names=stablehlo.add,stablehlo.transpose,stablehlo.reduce version=2" --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: %[[T:.*]] = stablehlo.composite "stablehlo.transpose" %arg0 {composite_attributes = {permutation = array<i64: 1, 0>}, decomposition = @stablehlo.transpose.impl, version = 2 : i32} : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK: %[[S:.*]] = stablehlo.composite "stablehlo.add" %[[T]], %arg1 {decomposition = @stablehlo.add.impl1, version = 2 : i32}
// CHECK: %[[E:.*]] = stablehlo.exponential %[[S]]
// CHECK: stablehlo.composite "stablehlo.reduce" %[[E]], %{{.*}} {composite_attributes = {dimensions = array<i64: 0>}, decomposition = @stablehlo.reduce.impl, version = 2 : i32}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.add %0, %y : tensor<3x2xf32>
  %2 = stablehlo.exponential %1 : tensor<3x2xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %3 = stablehlo.reduce(%2 init: %i) applies stablehlo.add across dimensions = [0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// A name that is taken.
// CHECK: func.func private @stablehlo.add.impl(
func.func private @stablehlo.add.impl(tensor<f32>)

// CHECK: func.func private @stablehlo.transpose.impl(%[[A:.*]]: tensor<2x3xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: %[[R:.*]] = stablehlo.transpose %[[A]], dims = [1, 0]
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @stablehlo.add.impl1(%[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<3x2xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: stablehlo.add %[[A]], %[[B]]
// CHECK: func.func private @stablehlo.reduce.impl(%[[A:.*]]: tensor<3x2xf32>, %[[B:.*]]: tensor<f32>) -> tensor<2xf32> {
// CHECK-NEXT: stablehlo.reduce(%[[A]] init: %[[B]]) applies stablehlo.add across dimensions = [0]

// -----

func.func @captures(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'stablehlo.reduce' cannot be wrapped: its body uses values from outside}}
  %0 = stablehlo.reduce(%x init: %y) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %1 = stablehlo.maximum %a, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }
  return %0 : tensor<f32>
}
