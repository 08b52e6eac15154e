// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @formats(
// CHECK: %0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<2xf32>
// CHECK: %1 = stablehlo.reduce_precision %arg0, format = e8m7 : tensor<2xf32>
// CHECK: %2 = stablehlo.reduce_precision %arg0, format = e1m0 : tensor<2xf32>
// CHECK: %3 = stablehlo.reduce_precision %arg0, format = e11m52 : tensor<2xf32>
func.func @formats(%a: tensor<2xf32>) {
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2xf32>
  %1 = stablehlo.reduce_precision %a, format = e8m7 : tensor<2xf32>
  %2 = stablehlo.reduce_precision %a, format = e1m0 : tensor<2xf32>
  %3 = stablehlo.reduce_precision %a, format = e11m52 : tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.reduce_precision %arg0, format = e2m2 : tensor<3xf8E4M3B11FNUZ>
// CHECK: %1 = stablehlo.reduce_precision %arg1, format = e4m3 : tensor<3xbf16>
// CHECK: %2 = stablehlo.reduce_precision %arg2, format = e8m23 : tensor<3xf64>
// CHECK: %3 = stablehlo.reduce_precision %arg3, format = e5m2 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xf8E4M3B11FNUZ>, %b: tensor<3xbf16>, %c: tensor<3xf64>, %d: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.reduce_precision %a, format = e2m2 : tensor<3xf8E4M3B11FNUZ>
  %1 = stablehlo.reduce_precision %b, format = e4m3 : tensor<3xbf16>
  %2 = stablehlo.reduce_precision %c, format = e8m23 : tensor<3xf64>
  %3 = stablehlo.reduce_precision %d, format = e5m2 : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<f32>
// CHECK: %1 = stablehlo.reduce_precision %arg1, format = e5m10 : (tensor<?x3xf32>) -> tensor<2x3xf32>
// CHECK: %2 = stablehlo.reduce_precision %arg2, format = e5m10 : tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<f32>
  %1 = stablehlo.reduce_precision %b, format = e5m10 : (tensor<?x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.reduce_precision %c, format = e5m10 : tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.reduce_precision %arg0, format = e6m9 : tensor<2xf32>
// CHECK: %1 = stablehlo.reduce_precision %arg0, format = e5m2 {tag} : tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 6 : i32, mantissa_bits = 9 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.reduce_precision %a, format = e5m2 {tag} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
