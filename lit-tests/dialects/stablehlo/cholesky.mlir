// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @triangles(
// CHECK: %0 = stablehlo.cholesky %arg0 : tensor<4x4xf64>
// CHECK: %1 = stablehlo.cholesky %arg0, lower = true : tensor<4x4xf64>
// CHECK: %2 = stablehlo.cholesky %arg0 : tensor<4x4xf64>
func.func @triangles(%a: tensor<4x4xf64>) {
  %0 = stablehlo.cholesky %a : tensor<4x4xf64>
  %1 = stablehlo.cholesky %a, lower = true : tensor<4x4xf64>
  %2 = stablehlo.cholesky %a, lower = false : tensor<4x4xf64>
  return
}

// CHECK-LABEL: func.func @types(
// CHECK: %0 = stablehlo.cholesky %arg0, lower = true : tensor<2x0x0xbf16>
// CHECK: %1 = stablehlo.cholesky %arg1, lower = true : tensor<5x3x3xcomplex<f32>>
// CHECK: %2 = stablehlo.cholesky %arg2 : tensor<?x3x3xf32>
// CHECK: %3 = stablehlo.cholesky %arg3 : (tensor<?x?xf32>) -> tensor<3x3xf32>
func.func @types(%a: tensor<2x0x0xbf16>, %b: tensor<5x3x3xcomplex<f32>>, %c: tensor<?x3x3xf32>, %d: tensor<?x?xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x0x0xbf16>
  %1 = stablehlo.cholesky %b, lower = true : tensor<5x3x3xcomplex<f32>>
  %2 = stablehlo.cholesky %c : tensor<?x3x3xf32>
  %3 = stablehlo.cholesky %d : (tensor<?x?xf32>) -> tensor<3x3xf32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.cholesky %arg0, lower = true : tensor<4x4xf32>
// CHECK: %1 = stablehlo.cholesky %arg0 : tensor<4x4xf32>
// CHECK: %2 = stablehlo.cholesky %arg0, lower = true {tag} : tensor<4x4xf32>
func.func @other_forms(%a: tensor<4x4xf32>) {
  %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.cholesky"(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.cholesky %a, lower = true {tag} : tensor<4x4xf32>
  return
}
