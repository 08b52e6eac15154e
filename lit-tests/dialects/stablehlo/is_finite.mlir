// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.is_finite %arg0 : (tensor<2xf8E5M2>) -> tensor<2xi1>
// CHECK: %1 = stablehlo.is_finite %arg1 : (tensor<2xf16>) -> tensor<2xi1>
// CHECK: %2 = stablehlo.is_finite %arg2 : (tensor<2xf64>) -> tensor<2xi1>
// CHECK: %3 = stablehlo.is_finite %arg3 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2xi1>
func.func @element_types(%a: tensor<2xf8E5M2>, %b: tensor<2xf16>, %c: tensor<2xf64>, %d: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.is_finite %a : (tensor<2xf8E5M2>) -> tensor<2xi1>
  %1 = stablehlo.is_finite %b : (tensor<2xf16>) -> tensor<2xi1>
  %2 = stablehlo.is_finite %c : (tensor<2xf64>) -> tensor<2xi1>
  %3 = stablehlo.is_finite %d : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.is_finite %arg0 : (tensor<f32>) -> tensor<i1>
// CHECK: %1 = stablehlo.is_finite %arg1 : (tensor<?x3xf32>) -> tensor<2x3xi1>
// CHECK: %2 = stablehlo.is_finite %arg2 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.is_finite %a : (tensor<f32>) -> tensor<i1>
  %1 = stablehlo.is_finite %b : (tensor<?x3xf32>) -> tensor<2x3xi1>
  %2 = stablehlo.is_finite %c : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.is_finite %arg0 : (tensor<2xf32>) -> tensor<2xi1>
// CHECK: %1 = stablehlo.is_finite %arg0 {tag} : (tensor<2xf32>) -> tensor<2xi1>
func.func @generic_form(%a: tensor<2xf32>) {
  %0 = "stablehlo.is_finite"(%a) : (tensor<2xf32>) -> tensor<2xi1>
  %1 = "stablehlo.is_finite"(%a) {tag} : (tensor<2xf32>) -> tensor<2xi1>
  return
}
