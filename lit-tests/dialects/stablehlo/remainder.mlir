// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.remainder %arg0, %arg0 : tensor<3xi4>
// CHECK: %1 = stablehlo.remainder %arg1, %arg1 : tensor<3xi64>
// CHECK: %2 = stablehlo.remainder %arg2, %arg2 : tensor<3xui2>
// CHECK: %3 = stablehlo.remainder %arg3, %arg3 : tensor<3xui32>
// CHECK: %4 = stablehlo.remainder %arg4, %arg4 : tensor<3xf8E4M3>
// CHECK: %5 = stablehlo.remainder %arg5, %arg5 : tensor<3xf16>
// CHECK: %6 = stablehlo.remainder %arg6, %arg6 : tensor<3xf64>
// CHECK: %7 = stablehlo.remainder %arg7, %arg7 : tensor<3xcomplex<f64>>
func.func @element_types(%a: tensor<3xi4>, %b: tensor<3xi64>, %c: tensor<3xui2>, %d: tensor<3xui32>, %e: tensor<3xf8E4M3>, %f: tensor<3xf16>, %g: tensor<3xf64>, %h: tensor<3xcomplex<f64>>) {
  %0 = stablehlo.remainder %a, %a : tensor<3xi4>
  %1 = stablehlo.remainder %b, %b : tensor<3xi64>
  %2 = stablehlo.remainder %c, %c : tensor<3xui2>
  %3 = stablehlo.remainder %d, %d : tensor<3xui32>
  %4 = stablehlo.remainder %e, %e : tensor<3xf8E4M3>
  %5 = stablehlo.remainder %f, %f : tensor<3xf16>
  %6 = stablehlo.remainder %g, %g : tensor<3xf64>
  %7 = stablehlo.remainder %h, %h : tensor<3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.remainder %arg0, %arg0 : tensor<f16>
// CHECK: %1 = stablehlo.remainder %arg1, %arg1 : tensor<?x3xf16>
// CHECK: %2 = stablehlo.remainder %arg1, %arg2 : (tensor<?x3xf16>, tensor<2x?xf16>) -> tensor<2x3xf16>
// CHECK: %3 = stablehlo.remainder %arg3, %arg3 : tensor<?x3xf16, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.remainder %arg3, %arg1 : (tensor<?x3xf16, #stablehlo.bounds<8, ?>>, tensor<?x3xf16>) -> tensor<?x3xf16>
func.func @shapes(%a: tensor<f16>, %b: tensor<?x3xf16>, %c: tensor<2x?xf16>, %d: tensor<?x3xf16, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.remainder %a, %a : tensor<f16>
  %1 = stablehlo.remainder %b, %b : tensor<?x3xf16>
  %2 = stablehlo.remainder %b, %c : (tensor<?x3xf16>, tensor<2x?xf16>) -> tensor<2x3xf16>
  %3 = stablehlo.remainder %d, %d : tensor<?x3xf16, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.remainder %d, %b : (tensor<?x3xf16, #stablehlo.bounds<8, ?>>, tensor<?x3xf16>) -> tensor<?x3xf16>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.remainder %arg0, %arg1 : tensor<2xf16>
// CHECK: %1 = stablehlo.remainder %arg1, %arg0 {tag = 1 : i64} : tensor<2xf16>
// CHECK: %2 = stablehlo.remainder %arg0, %arg1 : tensor<2xf16>
func.func @other_forms(%a: tensor<2xf16>, %b: tensor<2xf16>) {
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  %1 = "stablehlo.remainder"(%b, %a) {tag = 1 : i64} : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  %2 = stablehlo.remainder %a, %b : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  return
}

// CHECK-LABEL: func.func @quantized(
// CHECK: %0 = stablehlo.remainder %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.remainder %arg0, %arg1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 1.000000e+00:2>>
func.func @quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.remainder %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.remainder %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 1.0:2>>
  return
}
