// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.iota dim = 0 : tensor<4xi4>
// CHECK: %1 = stablehlo.iota dim = 1 : tensor<2x5xui8>
// CHECK: %2 = stablehlo.iota dim = 0 : tensor<3xf8E5M2>
// CHECK: %3 = stablehlo.iota dim = 2 : tensor<2x3x4xf64>
// CHECK: %4 = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
// CHECK: %5 = stablehlo.iota dim = 0 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types() {
  %0 = stablehlo.iota dim = 0 : tensor<4xi4>
  %1 = stablehlo.iota dim = 1 : tensor<2x5xui8>
  %2 = stablehlo.iota dim = 0 : tensor<3xf8E5M2>
  %3 = stablehlo.iota dim = 2 : tensor<2x3x4xf64>
  %4 = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  %5 = stablehlo.iota dim = 0 : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
// CHECK: %1 = stablehlo.iota dim = 0 {tag} : tensor<0xi32>
func.func @other_forms() {
  %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  %1 = stablehlo.iota dim = 0 {tag} : tensor<0xi32>
  return
}
