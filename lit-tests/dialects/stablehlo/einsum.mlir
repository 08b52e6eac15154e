// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @products(
// CHECK: %0 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %1 = stablehlo.einsum %arg0, %arg0, config = "ab,ab->" : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
// CHECK: %2 = stablehlo.einsum %arg2, %arg2, config = "ab,cb->ac" : (tensor<?x3xcomplex<f32>>, tensor<?x3xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
func.func @products(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<?x3xcomplex<f32>>) {
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.einsum %a, %a, config = "ab,ab->" : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<f32>
  %2 = stablehlo.einsum %c, %c, config = "ab,cb->ac" : (tensor<?x3xcomplex<f32>>, tensor<?x3xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.einsum %arg0, %arg1, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %1 = stablehlo.einsum %arg0, %arg1, config = "ij,jk->ik" {tag} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @other_forms(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = "stablehlo.einsum"(%a, %b) <{einsum_config = "ij,jk->ik"}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.einsum %a, %b, config = "ij,jk->ik" {tag} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
