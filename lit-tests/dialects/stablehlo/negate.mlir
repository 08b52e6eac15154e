// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.negate %arg0 : tensor<3xi4>
// CHECK: %1 = stablehlo.negate %arg1 : tensor<3xi32>
// CHECK: %2 = stablehlo.negate %arg2 : tensor<3xui8>
// CHECK: %3 = stablehlo.negate %arg3 : tensor<3xf16>
// CHECK: %4 = stablehlo.negate %arg4 : tensor<3xf64>
// CHECK: %5 = stablehlo.negate %arg5 : tensor<3xcomplex<f32>>
// CHECK: %6 = stablehlo.negate %arg6 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi4>, %b: tensor<3xi32>, %c: tensor<3xui8>, %d: tensor<3xf16>, %e: tensor<3xf64>, %f: tensor<3xcomplex<f32>>, %g: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.negate %a : tensor<3xi4>
  %1 = stablehlo.negate %b : tensor<3xi32>
  %2 = stablehlo.negate %c : tensor<3xui8>
  %3 = stablehlo.negate %d : tensor<3xf16>
  %4 = stablehlo.negate %e : tensor<3xf64>
  %5 = stablehlo.negate %f : tensor<3xcomplex<f32>>
  %6 = stablehlo.negate %g : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.negate %arg0 : tensor<i64>
// CHECK: %1 = stablehlo.negate %arg1 : tensor<0x4xi64>
// CHECK: %2 = stablehlo.negate %arg2 : tensor<?x3xi64>
// CHECK: %3 = stablehlo.negate %arg2 : (tensor<?x3xi64>) -> tensor<5x3xi64>
// CHECK: %4 = stablehlo.negate %arg3 : tensor<?x3xi64, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<i64>, %b: tensor<0x4xi64>, %c: tensor<?x3xi64>, %d: tensor<?x3xi64, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.negate %a : tensor<i64>
  %1 = stablehlo.negate %b : tensor<0x4xi64>
  %2 = stablehlo.negate %c : tensor<?x3xi64>
  %3 = stablehlo.negate %c : (tensor<?x3xi64>) -> tensor<5x3xi64>
  %4 = stablehlo.negate %d : tensor<?x3xi64, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.negate %arg0 : tensor<2xi64>
// CHECK: %1 = stablehlo.negate %arg0 {tag = "x"} : tensor<2xi64>
// CHECK: %2 = stablehlo.negate %arg0 : tensor<2xi64>
func.func @other_forms(%a: tensor<2xi64>) {
  %0 = "stablehlo.negate"(%a) : (tensor<2xi64>) -> tensor<2xi64>
  %1 = "stablehlo.negate"(%a) {tag = "x"} : (tensor<2xi64>) -> tensor<2xi64>
  %2 = stablehlo.negate %a : (tensor<2xi64>) -> tensor<2xi64>
  return
}
