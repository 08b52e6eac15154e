// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.atan2 %arg0, %arg0 : tensor<3xf8E5M2>
// CHECK: %1 = stablehlo.atan2 %arg1, %arg1 : tensor<3xbf16>
// CHECK: %2 = stablehlo.atan2 %arg2, %arg2 : tensor<3xf32>
// CHECK: %3 = stablehlo.atan2 %arg3, %arg3 : tensor<3xcomplex<f32>>
// CHECK: %4 = stablehlo.atan2 %arg4, %arg4 : tensor<3xcomplex<f64>>
func.func @element_types(%a: tensor<3xf8E5M2>, %b: tensor<3xbf16>, %c: tensor<3xf32>, %d: tensor<3xcomplex<f32>>, %e: tensor<3xcomplex<f64>>) {
  %0 = stablehlo.atan2 %a, %a : tensor<3xf8E5M2>
  %1 = stablehlo.atan2 %b, %b : tensor<3xbf16>
  %2 = stablehlo.atan2 %c, %c : tensor<3xf32>
  %3 = stablehlo.atan2 %d, %d : tensor<3xcomplex<f32>>
  %4 = stablehlo.atan2 %e, %e : tensor<3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.atan2 %arg0, %arg0 : tensor<f32>
// CHECK: %1 = stablehlo.atan2 %arg1, %arg1 : tensor<?x3xf32>
// CHECK: %2 = stablehlo.atan2 %arg1, %arg2 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
// CHECK: %3 = stablehlo.atan2 %arg3, %arg3 : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.atan2 %arg3, %arg1 : (tensor<?x3xf32, #stablehlo.bounds<8, ?>>, tensor<?x3xf32>) -> tensor<?x3xf32>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<2x?xf32>, %d: tensor<?x3xf32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.atan2 %a, %a : tensor<f32>
  %1 = stablehlo.atan2 %b, %b : tensor<?x3xf32>
  %2 = stablehlo.atan2 %b, %c : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.atan2 %d, %d : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.atan2 %d, %b : (tensor<?x3xf32, #stablehlo.bounds<8, ?>>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.atan2 %arg0, %arg1 : tensor<2xf32>
// CHECK: %1 = stablehlo.atan2 %arg1, %arg0 {tag = 1 : i64} : tensor<2xf32>
// CHECK: %2 = stablehlo.atan2 %arg0, %arg1 : tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = "stablehlo.atan2"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.atan2"(%b, %a) {tag = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.atan2 %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @quantized(
// CHECK: %0 = stablehlo.atan2 %arg0, %arg0 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %1 = stablehlo.atan2 %arg0, %arg1 : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<2x!quant.uniform<i8:f32, 3.125000e-02>>
func.func @quantized(%a: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.atan2 %a, %a : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.atan2 %a, %b : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.03125>>
  return
}
