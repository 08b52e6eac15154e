// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Quantized element types, which the quant dialect holds.

!q = !quant.uniform<i8:f32, 0.5:3>
!u = !quant.uniform<u8:f32, 5.000000e-01:128>
!axis = !quant.uniform<i8:f32:1, {0.5, 0.25:1}>

// CHECK-LABEL: func.func @constants(
func.func @constants() {
  // The integers of a quantized constant are in its attribute, so that the type
  // of the attribute does not tell that of the result.
  // CHECK: %cst = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!q>
  // CHECK: %cst_0 = stablehlo.constant() <{value = dense<7> : tensor<2xi8>}> {tag} : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %1 = stablehlo.constant() <{value = dense<7> : tensor<2xi8>}> {tag} : () -> tensor<2x!q>
  return
}

// CHECK-LABEL: func.func @conversions(
func.func @conversions(%f: tensor<3x2xf32>) {
  // CHECK: %0 = stablehlo.uniform_quantize %arg0 : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<u8:f32, 5.000000e-01:128>>
  %0 = stablehlo.uniform_quantize %f : (tensor<3x2xf32>) -> tensor<3x2x!u>
  // CHECK: %1 = stablehlo.uniform_quantize %0 : (tensor<3x2x!quant.uniform<u8:f32, 5.000000e-01:128>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>
  %1 = stablehlo.uniform_quantize %0 : (tensor<3x2x!u>) -> tensor<3x2x!axis>
  // CHECK: %2 = stablehlo.uniform_dequantize %1 : (tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>) -> tensor<3x2xf32>
  %2 = stablehlo.uniform_dequantize %1 : (tensor<3x2x!axis>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @arithmetic(
func.func @arithmetic(%a: tensor<2x!q>, %b: tensor<3x2x!axis>) {
  // CHECK: %0 = stablehlo.add %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
  %0 = stablehlo.add %a, %a : tensor<2x!q>
  // CHECK: %1 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01:1}>>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<3x2x!axis>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  return
}
