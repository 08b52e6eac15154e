// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

!q = !quant.uniform<i8:f32, 0.5:3>
!u = !quant.uniform<u4:f32, 0.25:7>
!axis = !quant.uniform<i8:f32:1, {0.5, 0.25:1}>

// CHECK-LABEL: func.func @from_floats(
// CHECK: %0 = stablehlo.uniform_quantize %arg0 : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.uniform_quantize %arg0 : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>
// CHECK: %2 = stablehlo.uniform_quantize %arg1 : (tensor<3xf16>) -> tensor<3x!quant.uniform<i16:f16, 2.000000e+00>>
func.func @from_floats(%a: tensor<3x2xf32>, %b: tensor<3xf16>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<3x2xf32>) -> tensor<3x2x!q>
  %1 = stablehlo.uniform_quantize %a : (tensor<3x2xf32>) -> tensor<3x2x!axis>
  %2 = stablehlo.uniform_quantize %b : (tensor<3xf16>) -> tensor<3x!quant.uniform<i16:f16, 2.0>>
  return
}

// CHECK-LABEL: func.func @from_quantized(
// CHECK: %0 = stablehlo.uniform_quantize %arg0 : (tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x!quant.uniform<u4:f32, 2.500000e-01:7>>
// CHECK: %1 = stablehlo.uniform_quantize %arg1 : (tensor<3x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>) -> tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %2 = stablehlo.uniform_quantize %arg0 : (tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3x2x!quant.uniform<i8<-8:7>:f32, 5.000000e-01>>
// CHECK: %3 = stablehlo.uniform_quantize %arg0 : tensor<3x2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @from_quantized(%a: tensor<3x2x!q>, %b: tensor<3x2x!axis>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<3x2x!q>) -> tensor<3x2x!u>
  %1 = stablehlo.uniform_quantize %b : (tensor<3x2x!axis>) -> tensor<3x2x!q>
  %2 = stablehlo.uniform_quantize %a : (tensor<3x2x!q>) -> tensor<3x2x!quant.uniform<i8<-8:7>:f32, 0.5>>
  %3 = stablehlo.uniform_quantize %a : tensor<3x2x!q>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.uniform_quantize %arg0 : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.uniform_quantize %arg1 : (tensor<?x2xf32>) -> tensor<?x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01:1}>>
// CHECK: %2 = stablehlo.uniform_quantize %arg2 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?x!quant.uniform<u4:f32, 2.500000e-01:7>, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x2xf32>, %c: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<f32>) -> tensor<!q>
  %1 = stablehlo.uniform_quantize %b : (tensor<?x2xf32>) -> tensor<?x2x!axis>
  %2 = stablehlo.uniform_quantize %c : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?x!u, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.uniform_quantize %arg0 : (tensor<2xf32>) -> tensor<2x!quant.uniform<u4:f32, 2.500000e-01:7>>
// CHECK: %1 = stablehlo.uniform_quantize %arg0 {tag} : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @generic_form(%a: tensor<2xf32>) {
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<2xf32>) -> tensor<2x!u>
  %1 = "stablehlo.uniform_quantize"(%a) {tag} : (tensor<2xf32>) -> tensor<2x!q>
  return
}
