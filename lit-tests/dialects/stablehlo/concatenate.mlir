// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @counts(
// CHECK: %0 = stablehlo.concatenate %arg0, %arg0, %arg0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
// CHECK: %1 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
// CHECK: %2 = stablehlo.concatenate %arg0, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @counts(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  %0 = stablehlo.concatenate %a, %a, %a, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  %2 = stablehlo.concatenate %a, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<3xi1>, tensor<3xi1>) -> tensor<6xi1>
// CHECK: %1 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<6xcomplex<f32>>
// CHECK: %2 = stablehlo.concatenate %arg2, %arg2, dim = 0 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<6x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xcomplex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<3xi1>, tensor<3xi1>) -> tensor<6xi1>
  %1 = stablehlo.concatenate %b, %b, dim = 0 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  %2 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<6x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<?x3xf32>
// CHECK: %1 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
// CHECK: %2 = stablehlo.concatenate %arg2, %arg2, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<8>>
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<2x?xf32>, %c: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<?x3xf32>
  %1 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  %2 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<8>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
// CHECK: %1 = stablehlo.concatenate %arg0, %arg0, dim = 0 {tag} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "stablehlo.concatenate"(%a, %a) <{dimension = 0 : i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %1 = stablehlo.concatenate %a, %a, dim = 0 {tag} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return
}
