// RUN: halo-opt %s | FileCheck %s

// Programs may spell an op in more ways than one; this is what each prints as.

// CHECK-LABEL: func.func @generic_form(
func.func @generic_form(%a: tensor<2x3xf32>, %z: tensor<f32>, %n: tensor<i32>) {
  // CHECK: stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.slice %arg0 [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %1 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 3>, strides = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.minimum across dimensions = [0]
  %2 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.minimum %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: stablehlo.while(%iterArg = %arg2) : tensor<i32>
  %4 = "stablehlo.while"(%n) ({
  ^bb0(%x: tensor<i32>):
    %5 = stablehlo.compare LT, %x, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @default_values(
func.func @default_values(%a: tensor<2x3xf32>) {
  // What says the default is kept, but not written in pretty form.
  // CHECK: stablehlo.tanh %arg0 : tensor<2x3xf32>
  %0 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<2x3xf32>
  // CHECK: stablehlo.slice %arg0 [0:2, 1:3]
  %1 = stablehlo.slice %a [0:2:1, 1:3:1] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  // CHECK: stablehlo.custom_call @target(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.custom_call @target(%a) {api_version = 1 : i32, has_side_effect = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// The body of a reduction is written as one op only if nothing is lost.
// CHECK-LABEL: func.func @bodies_that_are_not_one_op(
func.func @bodies_that_are_not_one_op(%a: tensor<2x3xf32>, %z: tensor<f32>) {
  // Not commutative.
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0]
  // CHECK: stablehlo.subtract
  %0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %4 = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  // An operand from outside.
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0]
  // CHECK: stablehlo.add %{{.*}}, %arg1
  %1 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %4 = stablehlo.add %x, %z : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  // An attribute.
  // CHECK: stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0]
  // CHECK: stablehlo.add %{{.*}} {tag}
  %2 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    reducer(%x: tensor<f32>, %y: tensor<f32>) {
    %4 = stablehlo.add %x, %y {tag} : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }
  return
}
