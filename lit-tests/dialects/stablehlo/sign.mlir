// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.sign %arg0 : tensor<3xi2>
// CHECK: %1 = stablehlo.sign %arg1 : tensor<3xi32>
// CHECK: %2 = stablehlo.sign %arg2 : tensor<3xbf16>
// CHECK: %3 = stablehlo.sign %arg3 : tensor<3xf64>
// CHECK: %4 = stablehlo.sign %arg4 : tensor<3xcomplex<f64>>
// CHECK: %5 = stablehlo.sign %arg5 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi2>, %b: tensor<3xi32>, %c: tensor<3xbf16>, %d: tensor<3xf64>, %e: tensor<3xcomplex<f64>>, %f: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.sign %a : tensor<3xi2>
  %1 = stablehlo.sign %b : tensor<3xi32>
  %2 = stablehlo.sign %c : tensor<3xbf16>
  %3 = stablehlo.sign %d : tensor<3xf64>
  %4 = stablehlo.sign %e : tensor<3xcomplex<f64>>
  %5 = stablehlo.sign %f : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.sign %arg0 : tensor<i32>
// CHECK: %1 = stablehlo.sign %arg1 : tensor<0x4xi32>
// CHECK: %2 = stablehlo.sign %arg2 : tensor<?x3xi32>
// CHECK: %3 = stablehlo.sign %arg2 : (tensor<?x3xi32>) -> tensor<5x3xi32>
// CHECK: %4 = stablehlo.sign %arg3 : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<i32>, %b: tensor<0x4xi32>, %c: tensor<?x3xi32>, %d: tensor<?x3xi32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.sign %a : tensor<i32>
  %1 = stablehlo.sign %b : tensor<0x4xi32>
  %2 = stablehlo.sign %c : tensor<?x3xi32>
  %3 = stablehlo.sign %c : (tensor<?x3xi32>) -> tensor<5x3xi32>
  %4 = stablehlo.sign %d : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.sign %arg0 : tensor<2xi32>
// CHECK: %1 = stablehlo.sign %arg0 {tag = "x"} : tensor<2xi32>
// CHECK: %2 = stablehlo.sign %arg0 : tensor<2xi32>
func.func @other_forms(%a: tensor<2xi32>) {
  %0 = "stablehlo.sign"(%a) : (tensor<2xi32>) -> tensor<2xi32>
  %1 = "stablehlo.sign"(%a) {tag = "x"} : (tensor<2xi32>) -> tensor<2xi32>
  %2 = stablehlo.sign %a : (tensor<2xi32>) -> tensor<2xi32>
  return
}
