// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @dimensions(
// CHECK: %0 = stablehlo.reverse %arg0, dims = [0, 2] : tensor<2x3x4xf32>
// CHECK: %1 = stablehlo.reverse %arg0, dims = [1] : tensor<2x3x4xf32>
// CHECK: %2 = stablehlo.reverse %arg0, dims = [] : tensor<2x3x4xf32>
// CHECK: %3 = stablehlo.reverse %arg1, dims = [] : tensor<i32>
func.func @dimensions(%a: tensor<2x3x4xf32>, %s: tensor<i32>) {
  %0 = stablehlo.reverse %a, dims = [0, 2] : tensor<2x3x4xf32>
  %1 = stablehlo.reverse %a, dims = [1] : tensor<2x3x4xf32>
  %2 = stablehlo.reverse %a, dims = [] : tensor<2x3x4xf32>
  %3 = stablehlo.reverse %s, dims = [] : tensor<i32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.reverse %arg0, dims = [0] : tensor<3xi1>
// CHECK: %1 = stablehlo.reverse %arg1, dims = [0] : tensor<3xcomplex<f64>>
// CHECK: %2 = stablehlo.reverse %arg2, dims = [0] : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xcomplex<f64>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi1>
  %1 = stablehlo.reverse %b, dims = [0] : tensor<3xcomplex<f64>>
  %2 = stablehlo.reverse %c, dims = [0] : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.reverse %arg0, dims = [0] : tensor<?x3xf32>
// CHECK: %1 = stablehlo.reverse %arg0, dims = [0] : (tensor<?x3xf32>) -> tensor<2x3xf32>
// CHECK: %2 = stablehlo.reverse %arg1, dims = [0] : tensor<?xf32, #stablehlo.bounds<4>>
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<?x3xf32>
  %1 = stablehlo.reverse %a, dims = [0] : (tensor<?x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.reverse %b, dims = [0] : tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.reverse %arg0, dims = [1, 0] : tensor<2x3xf32>
// CHECK: %1 = stablehlo.reverse %arg0, dims = [1] {tag} : tensor<2x3xf32>
func.func @other_forms(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.reverse"(%a) <{dimensions = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.reverse %a, dims = [1] {tag} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
