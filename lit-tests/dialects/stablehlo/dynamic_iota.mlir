// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.dynamic_iota %arg0, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi4>
// CHECK: %1 = stablehlo.dynamic_iota %arg0, dim = 1 : (tensor<2xi64>) -> tensor<?x?xui32>
// CHECK: %2 = stablehlo.dynamic_iota %arg0, dim = 1 : (tensor<2xi64>) -> tensor<?x3xbf16>
// CHECK: %3 = stablehlo.dynamic_iota %arg0, dim = 0 : (tensor<2xi64>) -> tensor<2x3xcomplex<f64>>
// CHECK: %4 = stablehlo.dynamic_iota %arg0, dim = 0 : (tensor<2xi64>) -> tensor<?x?x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%d: tensor<2xi64>) {
  %0 = stablehlo.dynamic_iota %d, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi4>
  %1 = stablehlo.dynamic_iota %d, dim = 1 : (tensor<2xi64>) -> tensor<?x?xui32>
  %2 = stablehlo.dynamic_iota %d, dim = 1 : (tensor<2xi64>) -> tensor<?x3xbf16>
  %3 = stablehlo.dynamic_iota %d, dim = 0 : (tensor<2xi64>) -> tensor<2x3xcomplex<f64>>
  %4 = stablehlo.dynamic_iota %d, dim = 0 : (tensor<2xi64>) -> tensor<?x?x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.dynamic_iota %arg0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
// CHECK: %1 = stablehlo.dynamic_iota %arg1, dim = 0 {tag} : (tensor<1xui8>) -> tensor<?xf32>
// CHECK: %2 = stablehlo.dynamic_iota %arg2, dim = 0 : (tensor<1xindex>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @other_forms(%a: tensor<1xi32>, %b: tensor<1xui8>, %c: tensor<1xindex>) {
  %0 = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_iota %b, dim = 0 {tag} : (tensor<1xui8>) -> tensor<?xf32>
  %2 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<1xindex>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}
