// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @sums(
// CHECK: %0 = stablehlo.unary_einsum %arg0, config = "ab->b" : (tensor<2x3xf32>) -> tensor<3xf32>
// CHECK: %1 = stablehlo.unary_einsum %arg0, config = "ab->ba" : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK: %2 = stablehlo.unary_einsum %arg1, config = "ij->" : (tensor<?x?xi32>) -> tensor<i32>
func.func @sums(%a: tensor<2x3xf32>, %b: tensor<?x?xi32>) {
  %0 = stablehlo.unary_einsum %a, config = "ab->b" : (tensor<2x3xf32>) -> tensor<3xf32>
  %1 = stablehlo.unary_einsum %a, config = "ab->ba" : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.unary_einsum %b, config = "ij->" : (tensor<?x?xi32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.unary_einsum %arg0, config = "ab->a" : (tensor<2x3xf32>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.unary_einsum %arg0, config = "ab->a" {tag} : (tensor<2x3xf32>) -> tensor<2xf32>
func.func @other_forms(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.unary_einsum"(%a) <{einsum_config = "ab->a"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  %1 = stablehlo.unary_einsum %a, config = "ab->a" {tag} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
