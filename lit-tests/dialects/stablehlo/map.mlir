// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @inputs(
// CHECK: %0 = "stablehlo.map"(%arg0, %arg0) <{dimensions = array<i64: 0, 1>}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: %3 = stablehlo.multiply %arg2, %arg3 : tensor<f32>
// CHECK: stablehlo.return %3 : tensor<f32>
// CHECK: }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %1 = "stablehlo.map"(%arg0) <{dimensions = array<i64: 0, 1>}> ({
// CHECK: ^bb0(%arg2: tensor<f32>):
// CHECK: %3 = stablehlo.is_finite %arg2 : (tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %3 : tensor<i1>
// CHECK: }) {tag} : (tensor<4x6xf32>) -> tensor<4x6xi1>
// CHECK: %2 = "stablehlo.map"(%arg1) <{dimensions = array<i64: 0>}> ({
// CHECK: ^bb0(%arg2: tensor<i32>):
// CHECK: stablehlo.return %arg2 : tensor<i32>
// CHECK: }) : (tensor<?xi32>) -> tensor<?xi32>
func.func @inputs(%a: tensor<4x6xf32>, %b: tensor<?xi32>) {
  %0 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.map"(%a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    %3 = stablehlo.is_finite %x : (tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) {tag} : (tensor<4x6xf32>) -> tensor<4x6xi1>
  %2 = "stablehlo.map"(%b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<?xi32>) -> tensor<?xi32>
  return
}
