// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.reshape %arg0 : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK: %1 = stablehlo.reshape %arg1 : (tensor<1x1xi8>) -> tensor<i8>
// CHECK: %2 = stablehlo.reshape %arg2 : (tensor<0x3xi8>) -> tensor<0xi8>
// CHECK: %3 = stablehlo.reshape %arg1 : (tensor<1x1xi8>) -> tensor<1x1xi8>
func.func @shapes(%a: tensor<2x3x4xf32>, %b: tensor<1x1xi8>, %c: tensor<0x3xi8>) {
  %0 = stablehlo.reshape %a : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.reshape %b : (tensor<1x1xi8>) -> tensor<i8>
  %2 = stablehlo.reshape %c : (tensor<0x3xi8>) -> tensor<0xi8>
  %3 = stablehlo.reshape %b : (tensor<1x1xi8>) -> tensor<1x1xi8>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.reshape %arg0 : (tensor<4xi1>) -> tensor<2x2xi1>
// CHECK: %1 = stablehlo.reshape %arg1 : (tensor<4xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
// CHECK: %2 = stablehlo.reshape %arg2 : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %3 = stablehlo.reshape %arg3 : (tensor<2x2x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<2x2x1x3x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
func.func @element_types(%a: tensor<4xi1>, %b: tensor<4xcomplex<f64>>, %c: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %d: tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = stablehlo.reshape %a : (tensor<4xi1>) -> tensor<2x2xi1>
  %1 = stablehlo.reshape %b : (tensor<4xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %2 = stablehlo.reshape %c : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:3>>
  %3 = stablehlo.reshape %d : (tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2x1x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.reshape %arg0 : (tensor<?x3xf32>) -> tensor<12xf32>
// CHECK: %1 = stablehlo.reshape %arg0 : (tensor<?x3xf32>) -> tensor<?xf32, #stablehlo.bounds<12>>
func.func @dynamic(%a: tensor<?x3xf32>) {
  %0 = stablehlo.reshape %a : (tensor<?x3xf32>) -> tensor<12xf32>
  %1 = stablehlo.reshape %a : (tensor<?x3xf32>) -> tensor<?xf32, #stablehlo.bounds<12>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.reshape %arg0 : (tensor<6xi32>) -> tensor<2x3xi32>
// CHECK: %1 = stablehlo.reshape %arg0 {tag} : (tensor<6xi32>) -> tensor<3x2xi32>
func.func @generic_form(%a: tensor<6xi32>) {
  %0 = "stablehlo.reshape"(%a) : (tensor<6xi32>) -> tensor<2x3xi32>
  %1 = "stablehlo.reshape"(%a) {tag} : (tensor<6xi32>) -> tensor<3x2xi32>
  return
}
