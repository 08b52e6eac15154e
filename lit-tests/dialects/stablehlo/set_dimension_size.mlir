// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.set_dimension_size %arg0, %arg2, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
// CHECK: %1 = stablehlo.set_dimension_size %arg1, %arg2, dim = 1 : (tensor<?x3xf32>, tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 3>>
func.func @shapes(%a: tensor<2x3xf32>, %b: tensor<?x3xf32>, %n: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  %1 = stablehlo.set_dimension_size %b, %n, dim = 1 : (tensor<?x3xf32>, tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<?, 3>>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.set_dimension_size %arg0, %arg3, dim = 0 : (tensor<3xi1>, tensor<i32>) -> tensor<?xi1, #stablehlo.bounds<3>>
// CHECK: %1 = stablehlo.set_dimension_size %arg1, %arg3, dim = 0 : (tensor<3xcomplex<f32>>, tensor<i32>) -> tensor<?xcomplex<f32>, #stablehlo.bounds<3>>
// CHECK: %2 = stablehlo.set_dimension_size %arg2, %arg3, dim = 0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<i32>) -> tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>, #stablehlo.bounds<3>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xcomplex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>, %n: tensor<i32>) {
  %0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<3xi1>, tensor<i32>) -> tensor<?xi1, #stablehlo.bounds<3>>
  %1 = stablehlo.set_dimension_size %b, %n, dim = 0 : (tensor<3xcomplex<f32>>, tensor<i32>) -> tensor<?xcomplex<f32>, #stablehlo.bounds<3>>
  %2 = stablehlo.set_dimension_size %c, %n, dim = 0 : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<i32>) -> tensor<?x!quant.uniform<i8:f32, 0.5:3>, #stablehlo.bounds<3>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.set_dimension_size %arg0, %arg1, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
// CHECK: %1 = stablehlo.set_dimension_size %arg0, %arg1, dim = 0 {tag} : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
func.func @other_forms(%a: tensor<2x3xf32>, %n: tensor<i32>) {
  %0 = "stablehlo.set_dimension_size"(%a, %n) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  %1 = stablehlo.set_dimension_size %a, %n, dim = 0 {tag} : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  return
}
