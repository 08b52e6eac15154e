// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @permutations(
// CHECK: %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK: %1 = stablehlo.transpose %arg0, dims = [0, 1, 2] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK: %2 = stablehlo.transpose %arg1, dims = [] : (tensor<i32>) -> tensor<i32>
func.func @permutations(%a: tensor<2x3x4xf32>, %s: tensor<i32>) {
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %a, dims = [0, 1, 2] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %2 = stablehlo.transpose %s, dims = [] : (tensor<i32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xui8>) -> tensor<3x2xui8>
// CHECK: %1 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
// CHECK: %2 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %3 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>
func.func @element_types(%a: tensor<2x3xui8>, %b: tensor<2x3xcomplex<f32>>, %c: tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>, %d: tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xui8>) -> tensor<3x2xui8>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  %2 = stablehlo.transpose %c, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>
  %3 = stablehlo.transpose %d, dims = [1, 0] : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
// CHECK: %1 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
func.func @dynamic(%a: tensor<2x?xf32>, %b: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK: %1 = stablehlo.transpose %arg0, dims = [0, 1] {tag} : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @generic_form(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.transpose"(%a) {permutation = array<i64: 0, 1>, tag} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
