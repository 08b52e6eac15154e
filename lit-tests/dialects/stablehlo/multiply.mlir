// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.multiply %arg0, %arg0 : tensor<3xi1>
// CHECK: %1 = stablehlo.multiply %arg1, %arg1 : tensor<3xi4>
// CHECK: %2 = stablehlo.multiply %arg2, %arg2 : tensor<3xi32>
// CHECK: %3 = stablehlo.multiply %arg3, %arg3 : tensor<3xui16>
// CHECK: %4 = stablehlo.multiply %arg4, %arg4 : tensor<3xf8E5M2FNUZ>
// CHECK: %5 = stablehlo.multiply %arg5, %arg5 : tensor<3xbf16>
// CHECK: %6 = stablehlo.multiply %arg6, %arg6 : tensor<3xf64>
// CHECK: %7 = stablehlo.multiply %arg7, %arg7 : tensor<3xcomplex<f32>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xi4>, %c: tensor<3xi32>, %d: tensor<3xui16>, %e: tensor<3xf8E5M2FNUZ>, %f: tensor<3xbf16>, %g: tensor<3xf64>, %h: tensor<3xcomplex<f32>>) {
  %0 = stablehlo.multiply %a, %a : tensor<3xi1>
  %1 = stablehlo.multiply %b, %b : tensor<3xi4>
  %2 = stablehlo.multiply %c, %c : tensor<3xi32>
  %3 = stablehlo.multiply %d, %d : tensor<3xui16>
  %4 = stablehlo.multiply %e, %e : tensor<3xf8E5M2FNUZ>
  %5 = stablehlo.multiply %f, %f : tensor<3xbf16>
  %6 = stablehlo.multiply %g, %g : tensor<3xf64>
  %7 = stablehlo.multiply %h, %h : tensor<3xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.multiply %arg0, %arg0 : tensor<i32>
// CHECK: %1 = stablehlo.multiply %arg1, %arg1 : tensor<?x3xi32>
// CHECK: %2 = stablehlo.multiply %arg1, %arg2 : (tensor<?x3xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
// CHECK: %3 = stablehlo.multiply %arg3, %arg3 : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.multiply %arg3, %arg1 : (tensor<?x3xi32, #stablehlo.bounds<8, ?>>, tensor<?x3xi32>) -> tensor<?x3xi32>
func.func @shapes(%a: tensor<i32>, %b: tensor<?x3xi32>, %c: tensor<2x?xi32>, %d: tensor<?x3xi32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.multiply %a, %a : tensor<i32>
  %1 = stablehlo.multiply %b, %b : tensor<?x3xi32>
  %2 = stablehlo.multiply %b, %c : (tensor<?x3xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
  %3 = stablehlo.multiply %d, %d : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.multiply %d, %b : (tensor<?x3xi32, #stablehlo.bounds<8, ?>>, tensor<?x3xi32>) -> tensor<?x3xi32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.multiply %arg0, %arg1 : tensor<2xi32>
// CHECK: %1 = stablehlo.multiply %arg1, %arg0 {tag = 1 : i64} : tensor<2xi32>
// CHECK: %2 = stablehlo.multiply %arg0, %arg1 : tensor<2xi32>
func.func @other_forms(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = "stablehlo.multiply"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = "stablehlo.multiply"(%b, %a) {tag = 1 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = stablehlo.multiply %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}

// CHECK-LABEL: func.func @quantized(
// CHECK: %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.multiply %arg0, %arg1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 1.500000e+00:-4>>
func.func @quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.multiply %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.multiply %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 1.5:-4>>
  return
}
