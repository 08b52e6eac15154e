// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @dimension_numbers(
// CHECK: %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
// CHECK: %1 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[1, 0, i, o]->[f, 1, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<2x6x1x6xf32>
// CHECK: %2 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [f, b, 0]x[o, i, 0]->[f, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x1x8xf32>, tensor<4x1x3xf32>) -> tensor<4x1x6xf32>
// CHECK: %3 = stablehlo.convolution(%arg4, %arg5) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
func.func @dimension_numbers(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>, %b: tensor<4x1x8xf32>, %l: tensor<4x1x3xf32>, %c: tensor<2x3xf32>, %m: tensor<3x5xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  %1 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[1, 0, i, o]->[f, 1, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<2x6x1x6xf32>
  %2 = stablehlo.convolution(%b, %l) dim_numbers = [f, b, 0]x[o, i, 0]->[f, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x1x8xf32>, tensor<4x1x3xf32>) -> tensor<4x1x6xf32>
  // No spatial dimensions: a product of matrices.
  %3 = stablehlo.convolution(%c, %m) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// CHECK-LABEL: func.func @windows(
// CHECK: %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = {{\[\[}}1, 1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x4x3x2xf32>
// CHECK: %1 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x13x13x2xf32>
// CHECK: %2 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = {{\[\[}}1, 1], [1, 1]], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x8x8x2xf32>
func.func @windows(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x4x3x2xf32>
  %1 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x13x13x2xf32>
  %2 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true, true], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x8x8x2xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4xcomplex<f32>>, tensor<3x4x2xcomplex<f32>>) -> tensor<1x6x2xcomplex<f32>>
// CHECK: %1 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x4x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>>) -> tensor<1x6x2x!quant.uniform<i32:f32:2, {2.500000e-01,1.250000e-01}>>
func.func @element_types(%a: tensor<1x8x4xcomplex<f32>>, %k: tensor<3x4x2xcomplex<f32>>, %b: tensor<1x8x4x!quant.uniform<i8:f32, 0.5:3>>, %l: tensor<3x4x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4xcomplex<f32>>, tensor<3x4x2xcomplex<f32>>) -> tensor<1x6x2xcomplex<f32>>
  %1 = stablehlo.convolution(%b, %l) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x4x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) -> tensor<1x6x2x!quant.uniform<i32:f32:2, {0.25, 0.125}>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<?x9x6xf32>, tensor<3x2x12xf32>) -> tensor<?x7x12xf32>
func.func @dynamic(%a: tensor<?x9x6xf32>, %k: tensor<3x2x12xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<?x9x6xf32>, tensor<3x2x12xf32>) -> tensor<?x7x12xf32>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = {{\[\[}}1, 0]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x4x4xf32>
func.func @generic_form(%a: tensor<2x9x2xf32>, %k: tensor<3x2x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %k) <{window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64}> : (tensor<2x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x4x4xf32>
  return
}
