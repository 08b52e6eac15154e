// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @dimensions(
// CHECK: %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [0, 1] : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %1 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg2, dims = [1, 0] : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<3x?xf32>
// CHECK: %2 = stablehlo.dynamic_broadcast_in_dim %arg1, %arg2, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %3 = stablehlo.dynamic_broadcast_in_dim %arg1, %arg3, dims = [] : (tensor<f32>, tensor<0xi32>) -> tensor<f32>
func.func @dimensions(%a: tensor<?x3xf32>, %s: tensor<f32>, %d: tensor<2xi64>, %e: tensor<0xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [1, 0] : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<3x?xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %s, %d, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %s, %e, dims = [] : (tensor<f32>, tensor<0xi32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @known_dimensions(
// CHECK: %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// CHECK: %1 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [0, 1] {known_nonexpanding_dimensions = array<i64>} : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x?xf32>
func.func @known_dimensions(%a: tensor<?x3xf32>, %d: tensor<2xindex>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] {known_nonexpanding_dimensions = array<i64>} : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg3, dims = [1] : (tensor<2xi1>, tensor<2xui8>) -> tensor<?x2xi1>
// CHECK: %1 = stablehlo.dynamic_broadcast_in_dim %arg1, %arg3, dims = [1] : (tensor<2xcomplex<f32>>, tensor<2xui8>) -> tensor<?x2xcomplex<f32>>
// CHECK: %2 = stablehlo.dynamic_broadcast_in_dim %arg2, %arg3, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, tensor<2xui8>) -> tensor<?x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>
func.func @element_types(%a: tensor<2xi1>, %b: tensor<2xcomplex<f32>>, %c: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %d: tensor<2xui8>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [1] : (tensor<2xi1>, tensor<2xui8>) -> tensor<?x2xi1>
  %1 = stablehlo.dynamic_broadcast_in_dim %b, %d, dims = [1] : (tensor<2xcomplex<f32>>, tensor<2xui8>) -> tensor<?x2xcomplex<f32>>
  %2 = stablehlo.dynamic_broadcast_in_dim %c, %d, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xui8>) -> tensor<?x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [1] {known_expanding_dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
// CHECK: %1 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [1] {tag} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
func.func @other_forms(%a: tensor<3xf32>, %d: tensor<2xi32>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %d) <{broadcast_dimensions = array<i64: 1>, known_expanding_dimensions = array<i64: 0>}> : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [1] {tag} : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return
}
