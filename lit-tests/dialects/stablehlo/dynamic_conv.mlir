// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @padding(
// CHECK: %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<2x2xi32>) -> tensor<1x?x?x2xf32>
func.func @padding(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>, %p: tensor<2x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<2x2xi32>) -> tensor<1x?x?x2xf32>
  return
}

// CHECK-LABEL: func.func @windows(
// CHECK: %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 2>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 3>, window_reversal = array<i1: true>, window_strides = array<i64: 2>}> : (tensor<4x9x6xbf16>, tensor<3x2x12xbf16>, tensor<1x2xi64>) -> tensor<4x?x12xbf16>
func.func @windows(%a: tensor<4x9x6xbf16>, %k: tensor<3x2x12xbf16>, %p: tensor<1x2xi64>) {
  %0 = "stablehlo.dynamic_conv"(%a, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 3 : i64, lhs_dilation = array<i64: 2>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 3>, window_reversal = array<i1: true>, window_strides = array<i64: 2>}> : (tensor<4x9x6xbf16>, tensor<3x2x12xbf16>, tensor<1x2xi64>) -> tensor<4x?x12xbf16>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = "stablehlo.dynamic_conv"(%arg0, %arg1, %arg4) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x4xcomplex<f64>>, tensor<3x4x2xcomplex<f64>>, tensor<1x2xui8>) -> tensor<1x?x2xcomplex<f64>>
// CHECK: %1 = "stablehlo.dynamic_conv"(%arg2, %arg3, %arg4) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> {tag} : (tensor<1x8x4x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x4x2x!quant.uniform<i8:f32, 2.500000e-01>>, tensor<1x2xui8>) -> tensor<1x?x2x!quant.uniform<i32:f32, 1.250000e-01>>
func.func @element_types(%a: tensor<1x8x4xcomplex<f64>>, %k: tensor<3x4x2xcomplex<f64>>, %b: tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, %l: tensor<3x4x2x!quant.uniform<i8:f32, 0.25>>, %p: tensor<1x2xui8>) {
  %0 = "stablehlo.dynamic_conv"(%a, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x4xcomplex<f64>>, tensor<3x4x2xcomplex<f64>>, tensor<1x2xui8>) -> tensor<1x?x2xcomplex<f64>>
  %1 = "stablehlo.dynamic_conv"(%b, %l, %p) {batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, tag} : (tensor<1x8x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x4x2x!quant.uniform<i8:f32, 0.25>>, tensor<1x2xui8>) -> tensor<1x?x2x!quant.uniform<i32:f32, 0.125>>
  return
}
