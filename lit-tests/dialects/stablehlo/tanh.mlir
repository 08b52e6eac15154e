// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.tanh %arg0 : tensor<3xf8E4M3FN>
// CHECK: %1 = stablehlo.tanh %arg1 : tensor<3xf16>
// CHECK: %2 = stablehlo.tanh %arg2 : tensor<3xbf16>
// CHECK: %3 = stablehlo.tanh %arg3 : tensor<3xf32>
// CHECK: %4 = stablehlo.tanh %arg4 : tensor<3xf64>
// CHECK: %5 = stablehlo.tanh %arg5 : tensor<3xcomplex<f32>>
// CHECK: %6 = stablehlo.tanh %arg6 : tensor<3xcomplex<f64>>
// CHECK: %7 = stablehlo.tanh %arg7 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xf8E4M3FN>, %b: tensor<3xf16>, %c: tensor<3xbf16>, %d: tensor<3xf32>, %e: tensor<3xf64>, %f: tensor<3xcomplex<f32>>, %g: tensor<3xcomplex<f64>>, %h: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.tanh %a : tensor<3xf8E4M3FN>
  %1 = stablehlo.tanh %b : tensor<3xf16>
  %2 = stablehlo.tanh %c : tensor<3xbf16>
  %3 = stablehlo.tanh %d : tensor<3xf32>
  %4 = stablehlo.tanh %e : tensor<3xf64>
  %5 = stablehlo.tanh %f : tensor<3xcomplex<f32>>
  %6 = stablehlo.tanh %g : tensor<3xcomplex<f64>>
  %7 = stablehlo.tanh %h : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.tanh %arg0 : tensor<f32>
// CHECK: %1 = stablehlo.tanh %arg1 : tensor<0x4xf32>
// CHECK: %2 = stablehlo.tanh %arg2 : tensor<?x3xf32>
// CHECK: %3 = stablehlo.tanh %arg2 : (tensor<?x3xf32>) -> tensor<5x3xf32>
// CHECK: %4 = stablehlo.tanh %arg3 : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<f32>, %b: tensor<0x4xf32>, %c: tensor<?x3xf32>, %d: tensor<?x3xf32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.tanh %a : tensor<f32>
  %1 = stablehlo.tanh %b : tensor<0x4xf32>
  %2 = stablehlo.tanh %c : tensor<?x3xf32>
  %3 = stablehlo.tanh %c : (tensor<?x3xf32>) -> tensor<5x3xf32>
  %4 = stablehlo.tanh %d : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.tanh %arg0 : tensor<2xf32>
// CHECK: %1 = stablehlo.tanh %arg0 {tag = "x"} : tensor<2xf32>
// CHECK: %2 = stablehlo.tanh %arg0 : tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "stablehlo.tanh"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.tanh"(%a) {tag = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.tanh %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @result_accuracy(
// CHECK: %0 = stablehlo.tanh %arg0 : tensor<3xf32>
// CHECK: %1 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<3xf32>
// CHECK: %2 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 2.500000e-01, rtol = 5.000000e-01, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
// CHECK: %3 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
func.func @result_accuracy(%a: tensor<3xf32>) {
  %0 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<3xf32>
  %1 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<3xf32>
  %2 = stablehlo.tanh %a {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.5, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
  %3 = "stablehlo.tanh"(%a) <{result_accuracy = #stablehlo.result_accuracy<ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<3xf32>) -> tensor<3xf32>
  return
}
