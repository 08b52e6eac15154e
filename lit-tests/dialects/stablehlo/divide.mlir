// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.divide %arg0, %arg0 : tensor<3xi4>
// CHECK: %1 = stablehlo.divide %arg1, %arg1 : tensor<3xi64>
// CHECK: %2 = stablehlo.divide %arg2, %arg2 : tensor<3xui2>
// CHECK: %3 = stablehlo.divide %arg3, %arg3 : tensor<3xui32>
// CHECK: %4 = stablehlo.divide %arg4, %arg4 : tensor<3xf8E4M3>
// CHECK: %5 = stablehlo.divide %arg5, %arg5 : tensor<3xf16>
// CHECK: %6 = stablehlo.divide %arg6, %arg6 : tensor<3xf64>
// CHECK: %7 = stablehlo.divide %arg7, %arg7 : tensor<3xcomplex<f64>>
func.func @element_types(%a: tensor<3xi4>, %b: tensor<3xi64>, %c: tensor<3xui2>, %d: tensor<3xui32>, %e: tensor<3xf8E4M3>, %f: tensor<3xf16>, %g: tensor<3xf64>, %h: tensor<3xcomplex<f64>>) {
  %0 = stablehlo.divide %a, %a : tensor<3xi4>
  %1 = stablehlo.divide %b, %b : tensor<3xi64>
  %2 = stablehlo.divide %c, %c : tensor<3xui2>
  %3 = stablehlo.divide %d, %d : tensor<3xui32>
  %4 = stablehlo.divide %e, %e : tensor<3xf8E4M3>
  %5 = stablehlo.divide %f, %f : tensor<3xf16>
  %6 = stablehlo.divide %g, %g : tensor<3xf64>
  %7 = stablehlo.divide %h, %h : tensor<3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.divide %arg0, %arg0 : tensor<f64>
// CHECK: %1 = stablehlo.divide %arg1, %arg1 : tensor<?x3xf64>
// CHECK: %2 = stablehlo.divide %arg1, %arg2 : (tensor<?x3xf64>, tensor<2x?xf64>) -> tensor<2x3xf64>
// CHECK: %3 = stablehlo.divide %arg3, %arg3 : tensor<?x3xf64, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.divide %arg3, %arg1 : (tensor<?x3xf64, #stablehlo.bounds<8, ?>>, tensor<?x3xf64>) -> tensor<?x3xf64>
func.func @shapes(%a: tensor<f64>, %b: tensor<?x3xf64>, %c: tensor<2x?xf64>, %d: tensor<?x3xf64, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.divide %a, %a : tensor<f64>
  %1 = stablehlo.divide %b, %b : tensor<?x3xf64>
  %2 = stablehlo.divide %b, %c : (tensor<?x3xf64>, tensor<2x?xf64>) -> tensor<2x3xf64>
  %3 = stablehlo.divide %d, %d : tensor<?x3xf64, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.divide %d, %b : (tensor<?x3xf64, #stablehlo.bounds<8, ?>>, tensor<?x3xf64>) -> tensor<?x3xf64>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.divide %arg0, %arg1 : tensor<2xf64>
// CHECK: %1 = stablehlo.divide %arg1, %arg0 {tag = 1 : i64} : tensor<2xf64>
// CHECK: %2 = stablehlo.divide %arg0, %arg1 : tensor<2xf64>
func.func @other_forms(%a: tensor<2xf64>, %b: tensor<2xf64>) {
  %0 = "stablehlo.divide"(%a, %b) : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %1 = "stablehlo.divide"(%b, %a) {tag = 1 : i64} : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %2 = stablehlo.divide %a, %b : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return
}

// CHECK-LABEL: func.func @quantized(
// CHECK: %0 = stablehlo.divide %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.divide %arg0, %arg1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 1.250000e-01:9>>
func.func @quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.divide %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.divide %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.125:9>>
  return
}
