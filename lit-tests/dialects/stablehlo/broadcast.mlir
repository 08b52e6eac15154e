// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @sizes(
// CHECK: %0 = stablehlo.broadcast %arg0, sizes = [2, 4] : (tensor<3xi32>) -> tensor<2x4x3xi32>
// CHECK: %1 = stablehlo.broadcast %arg0, sizes = [0] : (tensor<3xi32>) -> tensor<0x3xi32>
// CHECK: %2 = stablehlo.broadcast %arg0, sizes = [] : (tensor<3xi32>) -> tensor<3xi32>
// CHECK: %3 = stablehlo.broadcast %arg1, sizes = [5] : (tensor<f32>) -> tensor<5xf32>
func.func @sizes(%a: tensor<3xi32>, %s: tensor<f32>) {
  %0 = stablehlo.broadcast %a, sizes = [2, 4] : (tensor<3xi32>) -> tensor<2x4x3xi32>
  %1 = stablehlo.broadcast %a, sizes = [0] : (tensor<3xi32>) -> tensor<0x3xi32>
  %2 = stablehlo.broadcast %a, sizes = [] : (tensor<3xi32>) -> tensor<3xi32>
  %3 = stablehlo.broadcast %s, sizes = [5] : (tensor<f32>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.broadcast %arg0, sizes = [3] : (tensor<2xi1>) -> tensor<3x2xi1>
// CHECK: %1 = stablehlo.broadcast %arg1, sizes = [3] : (tensor<2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
// CHECK: %2 = stablehlo.broadcast %arg2, sizes = [3] : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<2xi1>, %b: tensor<2xcomplex<f64>>, %c: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.broadcast %a, sizes = [3] : (tensor<2xi1>) -> tensor<3x2xi1>
  %1 = stablehlo.broadcast %b, sizes = [3] : (tensor<2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  %2 = stablehlo.broadcast %c, sizes = [3] : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.broadcast %arg0, sizes = [2] : (tensor<?x3xf32>) -> tensor<2x?x3xf32>
// CHECK: %1 = stablehlo.broadcast %arg1, sizes = [2] : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<2x?xf32, #stablehlo.bounds<?, 4>>
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.broadcast %a, sizes = [2] : (tensor<?x3xf32>) -> tensor<2x?x3xf32>
  %1 = stablehlo.broadcast %b, sizes = [2] : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<2x?xf32, #stablehlo.bounds<?, 4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.broadcast %arg0, sizes = [2] : (tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: %1 = stablehlo.broadcast %arg0, sizes = [] {tag} : (tensor<3xi32>) -> tensor<3xi32>
func.func @generic_form(%a: tensor<3xi32>) {
  %0 = "stablehlo.broadcast"(%a) <{broadcast_sizes = array<i64: 2>}> : (tensor<3xi32>) -> tensor<2x3xi32>
  %1 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64>, tag} : (tensor<3xi32>) -> tensor<3xi32>
  return
}
