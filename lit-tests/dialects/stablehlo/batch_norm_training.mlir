// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @types(
// CHECK: %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK: %output_0, %batch_mean_1, %batch_var_2 = "stablehlo.batch_norm_training"(%arg2, %arg3, %arg3) <{epsilon = 0.000000e+00 : f32, feature_index = 0 : i64}> {tag} : (tensor<5x?xf16>, tensor<5xf16>, tensor<5xf16>) -> (tensor<5x?xf16>, tensor<5xf16>, tensor<5xf16>)
func.func @types(%a: tensor<2x3xf32>, %v: tensor<3xf32>, %b: tensor<5x?xf16>, %w: tensor<5xf16>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1:3 = "stablehlo.batch_norm_training"(%b, %w, %w) <{epsilon = 0.000000e+00 : f32, feature_index = 0 : i64}> {tag} : (tensor<5x?xf16>, tensor<5xf16>, tensor<5xf16>) -> (tensor<5x?xf16>, tensor<5xf16>, tensor<5xf16>)
  return
}
