// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
// CHECK: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK: %3 = stablehlo.compare LT, %arg1, %arg2, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %3 : tensor<i1>
// CHECK: }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %1 = "stablehlo.sort"(%arg0) <{dimension = -2 : i64}> ({
// CHECK: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK: %3 = stablehlo.compare GT, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %3 : tensor<i1>
// CHECK: }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %2 = "stablehlo.sort"(%arg0) ({
// CHECK: ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
// CHECK: %3 = stablehlo.compare GE, %arg1, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK: stablehlo.return %3 : tensor<i1>
// CHECK: }) {tag} : (tensor<4x6xf32>) -> tensor<4x6xf32>
func.func @attributes(%a: tensor<4x6xf32>) {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.sort"(%a) <{dimension = -2 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) {tag} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: func.func @two_inputs(
// CHECK: %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = false}> ({
// CHECK: ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<complex<f64>>, %arg5: tensor<complex<f64>>):
// CHECK: %1 = stablehlo.compare LT, %arg2, %arg3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
// CHECK: stablehlo.return %1 : tensor<i1>
// CHECK: }) : (tensor<?xi32>, tensor<?xcomplex<f64>>) -> (tensor<?xi32>, tensor<?xcomplex<f64>>)
func.func @two_inputs(%a: tensor<?xi32>, %b: tensor<?xcomplex<f64>>) {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<complex<f64>>, %w: tensor<complex<f64>>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<?xi32>, tensor<?xcomplex<f64>>) -> (tensor<?xi32>, tensor<?xcomplex<f64>>)
  return
}
