// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.minimum %arg0, %arg0 : tensor<3xi1>
// CHECK: %1 = stablehlo.minimum %arg1, %arg1 : tensor<3xi4>
// CHECK: %2 = stablehlo.minimum %arg2, %arg2 : tensor<3xi32>
// CHECK: %3 = stablehlo.minimum %arg3, %arg3 : tensor<3xui16>
// CHECK: %4 = stablehlo.minimum %arg4, %arg4 : tensor<3xf8E5M2FNUZ>
// CHECK: %5 = stablehlo.minimum %arg5, %arg5 : tensor<3xbf16>
// CHECK: %6 = stablehlo.minimum %arg6, %arg6 : tensor<3xf64>
// CHECK: %7 = stablehlo.minimum %arg7, %arg7 : tensor<3xcomplex<f32>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xi4>, %c: tensor<3xi32>, %d: tensor<3xui16>, %e: tensor<3xf8E5M2FNUZ>, %f: tensor<3xbf16>, %g: tensor<3xf64>, %h: tensor<3xcomplex<f32>>) {
  %0 = stablehlo.minimum %a, %a : tensor<3xi1>
  %1 = stablehlo.minimum %b, %b : tensor<3xi4>
  %2 = stablehlo.minimum %c, %c : tensor<3xi32>
  %3 = stablehlo.minimum %d, %d : tensor<3xui16>
  %4 = stablehlo.minimum %e, %e : tensor<3xf8E5M2FNUZ>
  %5 = stablehlo.minimum %f, %f : tensor<3xbf16>
  %6 = stablehlo.minimum %g, %g : tensor<3xf64>
  %7 = stablehlo.minimum %h, %h : tensor<3xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.minimum %arg0, %arg0 : tensor<ui8>
// CHECK: %1 = stablehlo.minimum %arg1, %arg1 : tensor<?x3xui8>
// CHECK: %2 = stablehlo.minimum %arg1, %arg2 : (tensor<?x3xui8>, tensor<2x?xui8>) -> tensor<2x3xui8>
// CHECK: %3 = stablehlo.minimum %arg3, %arg3 : tensor<?x3xui8, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.minimum %arg3, %arg1 : (tensor<?x3xui8, #stablehlo.bounds<8, ?>>, tensor<?x3xui8>) -> tensor<?x3xui8>
func.func @shapes(%a: tensor<ui8>, %b: tensor<?x3xui8>, %c: tensor<2x?xui8>, %d: tensor<?x3xui8, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.minimum %a, %a : tensor<ui8>
  %1 = stablehlo.minimum %b, %b : tensor<?x3xui8>
  %2 = stablehlo.minimum %b, %c : (tensor<?x3xui8>, tensor<2x?xui8>) -> tensor<2x3xui8>
  %3 = stablehlo.minimum %d, %d : tensor<?x3xui8, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.minimum %d, %b : (tensor<?x3xui8, #stablehlo.bounds<8, ?>>, tensor<?x3xui8>) -> tensor<?x3xui8>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.minimum %arg0, %arg1 : tensor<2xui8>
// CHECK: %1 = stablehlo.minimum %arg1, %arg0 {tag = 1 : i64} : tensor<2xui8>
// CHECK: %2 = stablehlo.minimum %arg0, %arg1 : tensor<2xui8>
func.func @other_forms(%a: tensor<2xui8>, %b: tensor<2xui8>) {
  %0 = "stablehlo.minimum"(%a, %b) : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %1 = "stablehlo.minimum"(%b, %a) {tag = 1 : i64} : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %2 = stablehlo.minimum %a, %b : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  return
}

// CHECK-LABEL: func.func @quantized(
// CHECK: %0 = stablehlo.minimum %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.minimum %arg0, %arg1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.minimum %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.minimum %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}
