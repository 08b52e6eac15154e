// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @types(
// CHECK: %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %1 = "stablehlo.batch_norm_inference"(%arg2, %arg3, %arg3, %arg3, %arg3) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> {tag} : (tensor<?x5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) -> tensor<?x5xf64>
func.func @types(%a: tensor<2x3xf32>, %v: tensor<3xf32>, %b: tensor<?x5xf64>, %w: tensor<5xf64>) {
  %0 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = "stablehlo.batch_norm_inference"(%b, %w, %w, %w, %w) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> {tag} : (tensor<?x5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>, tensor<5xf64>) -> tensor<?x5xf64>
  return
}
