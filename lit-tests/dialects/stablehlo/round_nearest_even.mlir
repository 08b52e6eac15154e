// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.round_nearest_even %arg0 : tensor<3xf4E2M1FN>
// CHECK: %1 = stablehlo.round_nearest_even %arg1 : tensor<3xf8E5M2>
// CHECK: %2 = stablehlo.round_nearest_even %arg2 : tensor<3xf16>
// CHECK: %3 = stablehlo.round_nearest_even %arg3 : tensor<3xbf16>
// CHECK: %4 = stablehlo.round_nearest_even %arg4 : tensor<3xf32>
// CHECK: %5 = stablehlo.round_nearest_even %arg5 : tensor<3xf64>
// CHECK: %6 = stablehlo.round_nearest_even %arg6 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xf4E2M1FN>, %b: tensor<3xf8E5M2>, %c: tensor<3xf16>, %d: tensor<3xbf16>, %e: tensor<3xf32>, %f: tensor<3xf64>, %g: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.round_nearest_even %a : tensor<3xf4E2M1FN>
  %1 = stablehlo.round_nearest_even %b : tensor<3xf8E5M2>
  %2 = stablehlo.round_nearest_even %c : tensor<3xf16>
  %3 = stablehlo.round_nearest_even %d : tensor<3xbf16>
  %4 = stablehlo.round_nearest_even %e : tensor<3xf32>
  %5 = stablehlo.round_nearest_even %f : tensor<3xf64>
  %6 = stablehlo.round_nearest_even %g : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.round_nearest_even %arg0 : tensor<f16>
// CHECK: %1 = stablehlo.round_nearest_even %arg1 : tensor<0x4xf16>
// CHECK: %2 = stablehlo.round_nearest_even %arg2 : tensor<?x3xf16>
// CHECK: %3 = stablehlo.round_nearest_even %arg2 : (tensor<?x3xf16>) -> tensor<5x3xf16>
// CHECK: %4 = stablehlo.round_nearest_even %arg3 : tensor<?x3xf16, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<f16>, %b: tensor<0x4xf16>, %c: tensor<?x3xf16>, %d: tensor<?x3xf16, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.round_nearest_even %a : tensor<f16>
  %1 = stablehlo.round_nearest_even %b : tensor<0x4xf16>
  %2 = stablehlo.round_nearest_even %c : tensor<?x3xf16>
  %3 = stablehlo.round_nearest_even %c : (tensor<?x3xf16>) -> tensor<5x3xf16>
  %4 = stablehlo.round_nearest_even %d : tensor<?x3xf16, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.round_nearest_even %arg0 : tensor<2xf16>
// CHECK: %1 = stablehlo.round_nearest_even %arg0 {tag = "x"} : tensor<2xf16>
// CHECK: %2 = stablehlo.round_nearest_even %arg0 : tensor<2xf16>
func.func @other_forms(%a: tensor<2xf16>) {
  %0 = "stablehlo.round_nearest_even"(%a) : (tensor<2xf16>) -> tensor<2xf16>
  %1 = "stablehlo.round_nearest_even"(%a) {tag = "x"} : (tensor<2xf16>) -> tensor<2xf16>
  %2 = stablehlo.round_nearest_even %a : (tensor<2xf16>) -> tensor<2xf16>
  return
}
