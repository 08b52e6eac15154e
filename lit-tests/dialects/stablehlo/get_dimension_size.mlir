// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
// CHECK: %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
// CHECK: %2 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xi8, #stablehlo.bounds<4>>) -> tensor<i32>
func.func @shapes(%a: tensor<?x3xf32>, %b: tensor<?xi8, #stablehlo.bounds<4>>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x3xf32>) -> tensor<i32>
  %2 = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xi8, #stablehlo.bounds<4>>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xi1>) -> tensor<i32>
// CHECK: %1 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xcomplex<f32>>) -> tensor<i32>
// CHECK: %2 = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<i32>
// CHECK: %3 = stablehlo.get_dimension_size %arg3, dim = 0 : (tensor<?x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>) -> tensor<i32>
func.func @element_types(%a: tensor<?xi1>, %b: tensor<?xcomplex<f32>>, %c: tensor<?x!quant.uniform<i8:f32, 0.5:3>>, %d: tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xi1>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xcomplex<f32>>) -> tensor<i32>
  %2 = stablehlo.get_dimension_size %c, dim = 0 : (tensor<?x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<i32>
  %3 = stablehlo.get_dimension_size %d, dim = 0 : (tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
// CHECK: %1 = stablehlo.get_dimension_size %arg0, dim = 0 {tag} : (tensor<2x3xf32>) -> tensor<i32>
func.func @other_forms(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.get_dimension_size"(%a) <{dimension = 1 : i64}> : (tensor<2x3xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 0 {tag} : (tensor<2x3xf32>) -> tensor<i32>
  return
}
