// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %1 = stablehlo.dynamic_reshape %arg0, %arg2 : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<12xf32>
// CHECK: %2 = stablehlo.dynamic_reshape %arg0, %arg2 : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<?xf32, #stablehlo.bounds<12>>
// CHECK: %3 = stablehlo.dynamic_reshape %arg4, %arg3 : (tensor<1xf32>, tensor<0xi32>) -> tensor<f32>
func.func @shapes(%a: tensor<?x3xf32>, %d: tensor<2xi64>, %e: tensor<1xindex>, %z: tensor<0xi32>, %s: tensor<1xf32>) {
  %0 = stablehlo.dynamic_reshape %a, %d : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %a, %e : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<12xf32>
  %2 = stablehlo.dynamic_reshape %a, %e : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<?xf32, #stablehlo.bounds<12>>
  %3 = stablehlo.dynamic_reshape %s, %z : (tensor<1xf32>, tensor<0xi32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.dynamic_reshape %arg0, %arg4 : (tensor<?xi1>, tensor<2xui16>) -> tensor<?x?xi1>
// CHECK: %1 = stablehlo.dynamic_reshape %arg1, %arg4 : (tensor<?xcomplex<f64>>, tensor<2xui16>) -> tensor<?x?xcomplex<f64>>
// CHECK: %2 = stablehlo.dynamic_reshape %arg2, %arg4 : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<2xui16>) -> tensor<?x?x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: %3 = stablehlo.dynamic_reshape %arg3, %arg4 : (tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2xui16>) -> tensor<2x3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>
func.func @element_types(%a: tensor<?xi1>, %b: tensor<?xcomplex<f64>>, %c: tensor<?x!quant.uniform<i8:f32, 0.5:3>>, %e: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %d: tensor<2xui16>) {
  %0 = stablehlo.dynamic_reshape %a, %d : (tensor<?xi1>, tensor<2xui16>) -> tensor<?x?xi1>
  %1 = stablehlo.dynamic_reshape %b, %d : (tensor<?xcomplex<f64>>, tensor<2xui16>) -> tensor<?x?xcomplex<f64>>
  %2 = stablehlo.dynamic_reshape %c, %d : (tensor<?x!quant.uniform<i8:f32, 0.5:3>>, tensor<2xui16>) -> tensor<?x?x!quant.uniform<i8:f32, 0.5:3>>
  %3 = stablehlo.dynamic_reshape %e, %d : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xui16>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK: %1 = stablehlo.dynamic_reshape %arg0, %arg1 {tag} : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
func.func @other_forms(%a: tensor<6xf32>, %d: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_reshape"(%a, %d) : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %a, %d {tag} : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}
