// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @dimensions(
// CHECK: %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: %1 = stablehlo.broadcast_in_dim %arg1, dims = [2, 0] : (tensor<1x3xi32>) -> tensor<3x5x9xi32>
// CHECK: %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
// CHECK: %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<f32>
func.func @dimensions(%a: tensor<3xi32>, %b: tensor<1x3xi32>, %s: tensor<f32>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [2, 0] : (tensor<1x3xi32>) -> tensor<3x5x9xi32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
// CHECK: %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<2xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
// CHECK: %2 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %3 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
// CHECK: %4 = stablehlo.broadcast_in_dim %arg4, dims = [0] : (tensor<1x!quant.uniform<i8:f32:0, {5.000000e-01}>>) -> tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,5.000000e-01}>>
func.func @element_types(%a: tensor<2xi1>, %b: tensor<2xcomplex<f32>>, %c: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %d: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %e: tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
  %1 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<2xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %2 = stablehlo.broadcast_in_dim %c, dims = [0] : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:3>>
  // The quantized dimension goes where its dimension goes.
  %3 = stablehlo.broadcast_in_dim %d, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %4 = stablehlo.broadcast_in_dim %e, dims = [0] : (tensor<1x!quant.uniform<i8:f32:0, {0.5}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.5}>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<?xf32>) -> tensor<2x3xf32>
// CHECK: %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<2x?xf32, #stablehlo.bounds<?, 4>>
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<?xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<2x?xf32, #stablehlo.bounds<?, 4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<3xi32>) -> tensor<3x2xi32>
// CHECK: %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] {tag} : (tensor<3xi32>) -> tensor<2x3xi32>
func.func @generic_form(%a: tensor<3xi32>) {
  %0 = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3x2xi32>
  %1 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>, tag} : (tensor<3xi32>) -> tensor<2x3xi32>
  return
}
