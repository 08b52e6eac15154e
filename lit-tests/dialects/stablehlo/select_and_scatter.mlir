// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg3) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
// CHECK: ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
// CHECK: %2 = stablehlo.compare GE, %arg4, %arg5 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %2 : tensor<i1>
// CHECK: }, {
// CHECK: ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
// CHECK: %2 = stablehlo.add %arg4, %arg5 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
// CHECK: %1 = "stablehlo.select_and_scatter"(%arg0, %arg2, %arg3) <{padding = dense<{{\[\[}}0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>}> ({
// CHECK: ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
// CHECK: %2 = stablehlo.compare GT, %arg4, %arg5 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %2 : tensor<i1>
// CHECK: }, {
// CHECK: ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
// CHECK: stablehlo.return %arg5 : tensor<f32>
// CHECK: }) {tag} : (tensor<4x6xf32>, tensor<3x6xf32>, tensor<f32>) -> tensor<4x6xf32>
func.func @attributes(%a: tensor<4x6xf32>, %s: tensor<2x2xf32>, %t: tensor<3x6xf32>, %z: tensor<f32>) {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = "stablehlo.select_and_scatter"(%a, %t, %z) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {tag} : (tensor<4x6xf32>, tensor<3x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
