// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.reduce_window"(%arg0, %arg1) <{window_dimensions = array<i64: 2, 3>}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
// CHECK: %1 = "stablehlo.reduce_window"(%arg0, %arg1) <{base_dilations = array<i64: 2, 1>, padding = dense<{{\[\[}}1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: %2 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) {tag} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x2xf32>
func.func @attributes(%a: tensor<4x6xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>
  %1 = "stablehlo.reduce_window"(%a, %z) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {tag} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: func.func @two_inputs(
// CHECK: %0:2 = "stablehlo.reduce_window"(%arg0, %arg1, %arg2, %arg3) <{window_dimensions = array<i64: 2>}> ({
// CHECK: ^bb0(%arg4: tensor<f32>, %arg5: tensor<i32>, %arg6: tensor<f32>, %arg7: tensor<i32>):
// CHECK: stablehlo.return %arg4, %arg7 : tensor<f32>, tensor<i32>
// CHECK: }) : (tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
func.func @two_inputs(%a: tensor<?xf32>, %b: tensor<?xi32>, %z: tensor<f32>, %n: tensor<i32>) {
  %0:2 = "stablehlo.reduce_window"(%a, %b, %z, %n) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %i: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):
    stablehlo.return %x, %j : tensor<f32>, tensor<i32>
  }) : (tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  return
}
