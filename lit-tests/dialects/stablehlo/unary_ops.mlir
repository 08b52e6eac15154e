// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Elementwise ops of one operand.

// CHECK-LABEL: func.func @rounding_and_bits(
// CHECK: %0 = stablehlo.abs %arg0 : tensor<3x2xf32>
// CHECK: %1 = stablehlo.ceil %arg0 : tensor<3x2xf32>
// CHECK: %2 = stablehlo.floor %arg0 : tensor<3x2xf32>
// CHECK: %3 = stablehlo.negate %arg0 : tensor<3x2xf32>
// CHECK: %4 = stablehlo.round_nearest_afz %arg0 : tensor<3x2xf32>
// CHECK: %5 = stablehlo.round_nearest_even %arg0 : tensor<3x2xf32>
// CHECK: %6 = stablehlo.sign %arg0 : tensor<3x2xf32>
// CHECK: %7 = stablehlo.count_leading_zeros %arg1 : tensor<4xui8>
// CHECK: %8 = stablehlo.popcnt %arg1 : tensor<4xui8>
// CHECK: %9 = stablehlo.not %arg2 : tensor<i1>
func.func @rounding_and_bits(%f: tensor<3x2xf32>, %i: tensor<4xui8>, %p: tensor<i1>) {
  %0 = stablehlo.abs %f : tensor<3x2xf32>
  %1 = stablehlo.ceil %f : tensor<3x2xf32>
  %2 = stablehlo.floor %f : tensor<3x2xf32>
  %3 = stablehlo.negate %f : tensor<3x2xf32>
  %4 = stablehlo.round_nearest_afz %f : tensor<3x2xf32>
  %5 = stablehlo.round_nearest_even %f : tensor<3x2xf32>
  %6 = stablehlo.sign %f : tensor<3x2xf32>
  %7 = stablehlo.count_leading_zeros %i : tensor<4xui8>
  %8 = stablehlo.popcnt %i : tensor<4xui8>
  %9 = stablehlo.not %p : tensor<i1>
  return
}

// CHECK-LABEL: func.func @functions(
// CHECK: %0 = stablehlo.cbrt %arg0 : tensor<5xbf16>
// CHECK: %1 = stablehlo.cosine %arg1 : tensor<5xcomplex<f64>>
// CHECK: %2 = stablehlo.exponential %arg0 : tensor<5xbf16>
// CHECK: %3 = stablehlo.exponential_minus_one %arg0 : tensor<5xbf16>
// CHECK: %4 = stablehlo.log %arg1 : tensor<5xcomplex<f64>>
// CHECK: %5 = stablehlo.log_plus_one %arg0 : tensor<5xbf16>
// CHECK: %6 = stablehlo.logistic %arg0 : tensor<5xbf16>
// CHECK: %7 = stablehlo.rsqrt %arg0 : tensor<5xbf16>
// CHECK: %8 = stablehlo.sine %arg0 : tensor<5xbf16>
// CHECK: %9 = stablehlo.sqrt %arg0 : tensor<5xbf16>
// CHECK: %10 = stablehlo.tan %arg0 : tensor<5xbf16>
// CHECK: %11 = stablehlo.tanh %arg0 : tensor<5xbf16>
func.func @functions(%f: tensor<5xbf16>, %c: tensor<5xcomplex<f64>>) {
  %0 = stablehlo.cbrt %f : tensor<5xbf16>
  %1 = stablehlo.cosine %c : tensor<5xcomplex<f64>>
  %2 = stablehlo.exponential %f : tensor<5xbf16>
  %3 = stablehlo.exponential_minus_one %f : tensor<5xbf16>
  %4 = stablehlo.log %c : tensor<5xcomplex<f64>>
  %5 = stablehlo.log_plus_one %f : tensor<5xbf16>
  %6 = stablehlo.logistic %f : tensor<5xbf16>
  %7 = stablehlo.rsqrt %f : tensor<5xbf16>
  %8 = stablehlo.sine %f : tensor<5xbf16>
  %9 = stablehlo.sqrt %f : tensor<5xbf16>
  %10 = stablehlo.tan %f : tensor<5xbf16>
  %11 = stablehlo.tanh %f : tensor<5xbf16>
  return
}

// CHECK-LABEL: func.func @result_accuracy(
// CHECK: %0 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<5xf32>
// CHECK: %1 = stablehlo.log %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 5.000000e-01, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<5xf32>
// CHECK: %2 = stablehlo.sine %arg0 {result_accuracy = #stablehlo.result_accuracy<rtol = 2.500000e-01, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>, tag = 1 : i64} : tensor<5xf32>
func.func @result_accuracy(%f: tensor<5xf32>) {
  %0 = stablehlo.tanh %f {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<5xf32>
  %1 = stablehlo.log %f {result_accuracy = #stablehlo.result_accuracy<atol = 0.5, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<5xf32>
  %2 = stablehlo.sine %f {result_accuracy = #stablehlo.result_accuracy<rtol = 0.25, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>, tag = 1 : i64} : tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.abs %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.imag %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %2 = stablehlo.real %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %3 = stablehlo.is_finite %arg1 : (tensor<2xf32>) -> tensor<2xi1>
// CHECK: %4 = stablehlo.convert %arg2 : (tensor<2xi16>) -> tensor<2xf8E4M3FN>
// CHECK: %5 = stablehlo.convert %arg1 : tensor<2xf32>
// CHECK: %6 = stablehlo.reduce_precision %arg1, format = e5m10 : tensor<2xf32>
func.func @element_types(%c: tensor<2xcomplex<f32>>, %f: tensor<2xf32>, %i: tensor<2xi16>) {
  %0 = stablehlo.abs %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.imag %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %2 = stablehlo.real %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %3 = stablehlo.is_finite %f : (tensor<2xf32>) -> tensor<2xi1>
  %4 = stablehlo.convert %i : (tensor<2xi16>) -> tensor<2xf8E4M3FN>
  %5 = stablehlo.convert %f : tensor<2xf32>
  %6 = stablehlo.reduce_precision %f, format = e5m10 : tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_shapes(
// CHECK: %0 = stablehlo.negate %arg0 : (tensor<?x3xf32>) -> tensor<2x3xf32>
// CHECK: %1 = stablehlo.negate %arg0 : tensor<?x3xf32>
func.func @dynamic_shapes(%a: tensor<?x3xf32>) {
  %0 = stablehlo.negate %a : (tensor<?x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.negate %a : tensor<?x3xf32>
  return
}
