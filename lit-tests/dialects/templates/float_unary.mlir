// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = OP %arg0 : tensor<3xf8E4M3FN>
// CHECK: %1 = OP %arg1 : tensor<3xf16>
// CHECK: %2 = OP %arg2 : tensor<3xbf16>
// CHECK: %3 = OP %arg3 : tensor<3xf32>
// CHECK: %4 = OP %arg4 : tensor<3xf64>
// CHECK: %5 = OP %arg5 : tensor<3xcomplex<f32>>
// CHECK: %6 = OP %arg6 : tensor<3xcomplex<f64>>
// CHECK: %7 = OP %arg7 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xf8E4M3FN>, %b: tensor<3xf16>, %c: tensor<3xbf16>, %d: tensor<3xf32>, %e: tensor<3xf64>, %f: tensor<3xcomplex<f32>>, %g: tensor<3xcomplex<f64>>, %h: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = OP %a : tensor<3xf8E4M3FN>
  %1 = OP %b : tensor<3xf16>
  %2 = OP %c : tensor<3xbf16>
  %3 = OP %d : tensor<3xf32>
  %4 = OP %e : tensor<3xf64>
  %5 = OP %f : tensor<3xcomplex<f32>>
  %6 = OP %g : tensor<3xcomplex<f64>>
  %7 = OP %h : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = OP %arg0 : tensor<f32>
// CHECK: %1 = OP %arg1 : tensor<0x4xf32>
// CHECK: %2 = OP %arg2 : tensor<?x3xf32>
// CHECK: %3 = OP %arg2 : (tensor<?x3xf32>) -> tensor<5x3xf32>
// CHECK: %4 = OP %arg3 : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<f32>, %b: tensor<0x4xf32>, %c: tensor<?x3xf32>, %d: tensor<?x3xf32, #stablehlo.bounds<8, ?>>) {
  %0 = OP %a : tensor<f32>
  %1 = OP %b : tensor<0x4xf32>
  %2 = OP %c : tensor<?x3xf32>
  %3 = OP %c : (tensor<?x3xf32>) -> tensor<5x3xf32>
  %4 = OP %d : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = OP %arg0 : tensor<2xf32>
// CHECK: %1 = OP %arg0 {tag = "x"} : tensor<2xf32>
// CHECK: %2 = OP %arg0 : tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "OP"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "OP"(%a) {tag = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = OP %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @result_accuracy(
// CHECK: %0 = OP %arg0 : tensor<3xf32>
// CHECK: %1 = OP %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<3xf32>
// CHECK: %2 = OP %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 2.500000e-01, rtol = 5.000000e-01, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
// CHECK: %3 = OP %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
func.func @result_accuracy(%a: tensor<3xf32>) {
  %0 = OP %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<3xf32>
  %1 = OP %a {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<3xf32>
  %2 = OP %a {result_accuracy = #stablehlo.result_accuracy<atol = 0.25, rtol = 0.5, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<3xf32>
  %3 = "OP"(%a) <{result_accuracy = #stablehlo.result_accuracy<ulps = 4, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<3xf32>) -> tensor<3xf32>
  return
}
