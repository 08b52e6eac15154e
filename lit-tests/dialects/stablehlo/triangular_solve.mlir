// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @transposes(
// CHECK: %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
// CHECK: %1 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
// CHECK: %2 = "stablehlo.triangular_solve"(%arg0, %arg2) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> {tag} : (tensor<4x4xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
func.func @transposes(%a: tensor<4x4xf64>, %b: tensor<4x2xf64>, %c: tensor<2x4xf64>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  %1 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = true}> : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  %2 = "stablehlo.triangular_solve"(%a, %c) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> {tag} : (tensor<4x4xf64>, tensor<2x4xf64>) -> tensor<2x4xf64>
  return
}

// CHECK-LABEL: func.func @types(
// CHECK: %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<5x3x3xcomplex<f32>>, tensor<5x3x1xcomplex<f32>>) -> tensor<5x3x1xcomplex<f32>>
// CHECK: %1 = "stablehlo.triangular_solve"(%arg2, %arg3) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x3x3xf16>, tensor<?x3x2xf16>) -> tensor<?x3x2xf16>
func.func @types(%a: tensor<5x3x3xcomplex<f32>>, %b: tensor<5x3x1xcomplex<f32>>, %c: tensor<?x3x3xf16>, %d: tensor<?x3x2xf16>) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<5x3x3xcomplex<f32>>, tensor<5x3x1xcomplex<f32>>) -> tensor<5x3x1xcomplex<f32>>
  %1 = "stablehlo.triangular_solve"(%c, %d) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<?x3x3xf16>, tensor<?x3x2xf16>) -> tensor<?x3x2xf16>
  return
}
