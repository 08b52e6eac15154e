// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.power %arg0, %arg0 : tensor<3xi4>
// CHECK: %1 = stablehlo.power %arg1, %arg1 : tensor<3xi64>
// CHECK: %2 = stablehlo.power %arg2, %arg2 : tensor<3xui2>
// CHECK: %3 = stablehlo.power %arg3, %arg3 : tensor<3xui32>
// CHECK: %4 = stablehlo.power %arg4, %arg4 : tensor<3xf8E4M3>
// CHECK: %5 = stablehlo.power %arg5, %arg5 : tensor<3xf16>
// CHECK: %6 = stablehlo.power %arg6, %arg6 : tensor<3xf64>
// CHECK: %7 = stablehlo.power %arg7, %arg7 : tensor<3xcomplex<f64>>
func.func @element_types(%a: tensor<3xi4>, %b: tensor<3xi64>, %c: tensor<3xui2>, %d: tensor<3xui32>, %e: tensor<3xf8E4M3>, %f: tensor<3xf16>, %g: tensor<3xf64>, %h: tensor<3xcomplex<f64>>) {
  %0 = stablehlo.power %a, %a : tensor<3xi4>
  %1 = stablehlo.power %b, %b : tensor<3xi64>
  %2 = stablehlo.power %c, %c : tensor<3xui2>
  %3 = stablehlo.power %d, %d : tensor<3xui32>
  %4 = stablehlo.power %e, %e : tensor<3xf8E4M3>
  %5 = stablehlo.power %f, %f : tensor<3xf16>
  %6 = stablehlo.power %g, %g : tensor<3xf64>
  %7 = stablehlo.power %h, %h : tensor<3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.power %arg0, %arg0 : tensor<i32>
// CHECK: %1 = stablehlo.power %arg1, %arg1 : tensor<?x3xi32>
// CHECK: %2 = stablehlo.power %arg1, %arg2 : (tensor<?x3xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
// CHECK: %3 = stablehlo.power %arg3, %arg3 : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.power %arg3, %arg1 : (tensor<?x3xi32, #stablehlo.bounds<8, ?>>, tensor<?x3xi32>) -> tensor<?x3xi32>
func.func @shapes(%a: tensor<i32>, %b: tensor<?x3xi32>, %c: tensor<2x?xi32>, %d: tensor<?x3xi32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.power %a, %a : tensor<i32>
  %1 = stablehlo.power %b, %b : tensor<?x3xi32>
  %2 = stablehlo.power %b, %c : (tensor<?x3xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
  %3 = stablehlo.power %d, %d : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.power %d, %b : (tensor<?x3xi32, #stablehlo.bounds<8, ?>>, tensor<?x3xi32>) -> tensor<?x3xi32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.power %arg0, %arg1 : tensor<2xi32>
// CHECK: %1 = stablehlo.power %arg1, %arg0 {tag = 1 : i64} : tensor<2xi32>
// CHECK: %2 = stablehlo.power %arg0, %arg1 : tensor<2xi32>
func.func @other_forms(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = "stablehlo.power"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = "stablehlo.power"(%b, %a) {tag = 1 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = stablehlo.power %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// CHECK-LABEL: func.func @quantized(
// CHECK: %0 = stablehlo.power %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.power %arg0, %arg1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00>>
func.func @quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.power %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.power %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 2.0>>
  return
}
