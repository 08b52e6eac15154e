// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @types(
// CHECK: %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK: %grad_operand_0, %grad_scale_1, %grad_offset_2 = "stablehlo.batch_norm_grad"(%arg2, %arg3, %arg3, %arg3, %arg2) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> {tag} : (tensor<4x?x5xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<4x?x5xbf16>) -> (tensor<4x?x5xbf16>, tensor<?xbf16>, tensor<?xbf16>)
func.func @types(%a: tensor<2x3xf32>, %v: tensor<3xf32>, %b: tensor<4x?x5xbf16>, %w: tensor<?xbf16>) {
  %0:3 = "stablehlo.batch_norm_grad"(%a, %v, %v, %v, %a) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1:3 = "stablehlo.batch_norm_grad"(%b, %w, %w, %w, %b) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> {tag} : (tensor<4x?x5xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<4x?x5xbf16>) -> (tensor<4x?x5xbf16>, tensor<?xbf16>, tensor<?xbf16>)
  return
}
