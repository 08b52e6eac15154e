// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = OP %arg0 : tensor<3xf4E2M1FN>
// CHECK: %1 = OP %arg1 : tensor<3xf8E5M2>
// CHECK: %2 = OP %arg2 : tensor<3xf16>
// CHECK: %3 = OP %arg3 : tensor<3xbf16>
// CHECK: %4 = OP %arg4 : tensor<3xf32>
// CHECK: %5 = OP %arg5 : tensor<3xf64>
// CHECK: %6 = OP %arg6 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xf4E2M1FN>, %b: tensor<3xf8E5M2>, %c: tensor<3xf16>, %d: tensor<3xbf16>, %e: tensor<3xf32>, %f: tensor<3xf64>, %g: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = OP %a : tensor<3xf4E2M1FN>
  %1 = OP %b : tensor<3xf8E5M2>
  %2 = OP %c : tensor<3xf16>
  %3 = OP %d : tensor<3xbf16>
  %4 = OP %e : tensor<3xf32>
  %5 = OP %f : tensor<3xf64>
  %6 = OP %g : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = OP %arg0 : tensor<f16>
// CHECK: %1 = OP %arg1 : tensor<0x4xf16>
// CHECK: %2 = OP %arg2 : tensor<?x3xf16>
// CHECK: %3 = OP %arg2 : (tensor<?x3xf16>) -> tensor<5x3xf16>
// CHECK: %4 = OP %arg3 : tensor<?x3xf16, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<f16>, %b: tensor<0x4xf16>, %c: tensor<?x3xf16>, %d: tensor<?x3xf16, #stablehlo.bounds<8, ?>>) {
  %0 = OP %a : tensor<f16>
  %1 = OP %b : tensor<0x4xf16>
  %2 = OP %c : tensor<?x3xf16>
  %3 = OP %c : (tensor<?x3xf16>) -> tensor<5x3xf16>
  %4 = OP %d : tensor<?x3xf16, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = OP %arg0 : tensor<2xf16>
// CHECK: %1 = OP %arg0 {tag = "x"} : tensor<2xf16>
// CHECK: %2 = OP %arg0 : tensor<2xf16>
func.func @other_forms(%a: tensor<2xf16>) {
  %0 = "OP"(%a) : (tensor<2xf16>) -> tensor<2xf16>
  %1 = "OP"(%a) {tag = "x"} : (tensor<2xf16>) -> tensor<2xf16>
  %2 = OP %a : (tensor<2xf16>) -> tensor<2xf16>
  return
}
