// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

!q = !quant.uniform<i8:f32, 0.5:3>
!u = !quant.uniform<u8:f64, 0.25:128>
!axis = !quant.uniform<i8:f32:1, {0.5, 0.25:1}>

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.uniform_dequantize %arg0 : (tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2xf32>
// CHECK: %1 = stablehlo.uniform_dequantize %arg1 : (tensor<3x!quant.uniform<u8:f64, 2.500000e-01:128>>) -> tensor<3xf64>
// CHECK: %2 = stablehlo.uniform_dequantize %arg2 : (tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>) -> tensor<3x2xf32>
// CHECK: %3 = stablehlo.uniform_dequantize %arg3 : (tensor<2x!quant.uniform<i2:bf16, 1.000000e+00>>) -> tensor<2xbf16>
// CHECK: %4 = stablehlo.uniform_dequantize %arg4 : (tensor<2x!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<2xf32>
func.func @element_types(%a: tensor<3x2x!q>, %b: tensor<3x!u>, %c: tensor<3x2x!axis>, %d: tensor<2x!quant.uniform<i2:bf16, 1.0>>, %e: tensor<2x!quant.uniform<i32:f32, 1.0>>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<3x2x!q>) -> tensor<3x2xf32>
  %1 = stablehlo.uniform_dequantize %b : (tensor<3x!u>) -> tensor<3xf64>
  %2 = stablehlo.uniform_dequantize %c : (tensor<3x2x!axis>) -> tensor<3x2xf32>
  %3 = stablehlo.uniform_dequantize %d : (tensor<2x!quant.uniform<i2:bf16, 1.0>>) -> tensor<2xbf16>
  %4 = stablehlo.uniform_dequantize %e : (tensor<2x!quant.uniform<i32:f32, 1.0>>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.uniform_dequantize %arg0 : (tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<f32>
// CHECK: %1 = stablehlo.uniform_dequantize %arg1 : (tensor<?x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>) -> tensor<3x2xf32>
// CHECK: %2 = stablehlo.uniform_dequantize %arg2 : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<!q>, %b: tensor<?x2x!axis>, %c: tensor<?x!q, #stablehlo.bounds<4>>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<!q>) -> tensor<f32>
  %1 = stablehlo.uniform_dequantize %b : (tensor<?x2x!axis>) -> tensor<3x2xf32>
  %2 = stablehlo.uniform_dequantize %c : (tensor<?x!q, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.uniform_dequantize %arg0 {tag} : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2xf32>
func.func @generic_form(%a: tensor<2x!q>) {
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<2x!q>) -> tensor<2xf32>
  %1 = "stablehlo.uniform_dequantize"(%a) {tag} : (tensor<2x!q>) -> tensor<2xf32>
  return
}
