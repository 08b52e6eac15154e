// RUN: halo-opt %s --stablehlo-canonicalize-dynamism | FileCheck %s

// CHECK-LABEL: @broadcast_in_dim
func.func @broadcast_in_dim(%a: tensor<3xf32>) -> tensor<4x3xf32> {
  %c = stablehlo.constant dense<[4, 3]> : tensor<2xi64>
  // CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %c, dims = [1] {known_expanding_dimensions = array<i64>} : (tensor<3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// A result of unknown shape stays.

// CHECK-LABEL: @unknown
func.func @unknown(%a: tensor<3xf32>, %s: tensor<2xi64>) -> tensor<?x3xf32> {
  // CHECK: stablehlo.dynamic_broadcast_in_dim
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @reshape_and_iota
func.func @reshape_and_iota(%a: tensor<12xf32>, %s: tensor<2xi64>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  // CHECK-DAG: stablehlo.reshape %arg0 : (tensor<12xf32>) -> tensor<4x3xf32>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<12xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  // CHECK-DAG: stablehlo.iota dim = 1 : tensor<4x3xi32>
  %1 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<4x3xi32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xi32>
}

// CHECK-LABEL: @pad
func.func @pad(%a: tensor<4xf32>, %v: tensor<f32>) -> tensor<10xf32> {
  %l = stablehlo.constant dense<1> : tensor<1xi64>
  %h = stablehlo.constant dense<2> : tensor<1xi64>
  // CHECK: stablehlo.pad %arg0, %arg1, low = [1], high = [2], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<10xf32>
  %0 = stablehlo.dynamic_pad %a, %v, %l, %h, %l : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: @gather
func.func @gather(%a: tensor<10xf32>, %i: tensor<3x1xi32>) -> tensor<3x2xf32> {
  %c = stablehlo.constant dense<2> : tensor<1xi64>
  // CHECK: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>{{.*}}slice_sizes = array<i64: 2>}>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %c) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false} : (tensor<10xf32>, tensor<3x1xi32>, tensor<1xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: @convolution
func.func @convolution(%a: tensor<1x8x8x1xf32>, %k: tensor<3x3x1x1xf32>) -> tensor<1x8x8x1xf32> {
  %c = stablehlo.constant dense<1> : tensor<2x2xi64>
  // CHECK: stablehlo.convolution(%arg0, %arg1) {{.*}}pad = {{\[}}[1, 1], [1, 1]]
  %0 = "stablehlo.dynamic_conv"(%a, %k, %c) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x8x8x1xf32>, tensor<3x3x1x1xf32>, tensor<2x2xi64>) -> tensor<1x8x8x1xf32>
  return %0 : tensor<1x8x8x1xf32>
}

// CHECK-LABEL: @convolution_surplus
func.func @convolution_surplus(%a: tensor<1x9x2xf32>, %k: tensor<3x2x4xf32>) -> tensor<1x4x4xf32> {
  %c = stablehlo.constant dense<0> : tensor<1x2xi64>
  // CHECK: stablehlo.convolution(%arg0, %arg1) {{.*}}window = {stride = [2], pad = {{\[}}[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]}
  %0 = "stablehlo.dynamic_conv"(%a, %k, %c) {window_strides = array<i64: 2, 2>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 3>, window_reversal = array<i1: false, true>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi64>) -> tensor<1x4x4xf32>
  return %0 : tensor<1x4x4xf32>
}

// CHECK-LABEL: @slice
func.func @slice(%a: tensor<10xf32>) -> tensor<3xf32> {
  %s = stablehlo.constant dense<1> : tensor<1xi64>
  %l = stablehlo.constant dense<7> : tensor<1xi64>
  %t = stablehlo.constant dense<2> : tensor<1xi64>
  // CHECK: stablehlo.slice %arg0 [1:7:2] : (tensor<10xf32>) -> tensor<3xf32>
  %0 = stablehlo.real_dynamic_slice %a, %s, %l, %t : (tensor<10xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Limits that are the starts plus constants make a slice of constant size.

// CHECK-LABEL: @dynamic_slice
func.func @dynamic_slice(%a: tensor<10x4xf32>, %s: tensor<2xi64>) -> tensor<3x2xf32> {
  %c = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %l = stablehlo.add %s, %c : tensor<2xi64>
  // CHECK: %[[S0:.*]] = stablehlo.slice %arg1 [0:1] : (tensor<2xi64>) -> tensor<1xi64>
  // CHECK: %[[I0:.*]] = stablehlo.reshape %[[S0]] : (tensor<1xi64>) -> tensor<i64>
  // CHECK: %[[S1:.*]] = stablehlo.slice %arg1 [1:2] : (tensor<2xi64>) -> tensor<1xi64>
  // CHECK: %[[I1:.*]] = stablehlo.reshape %[[S1]] : (tensor<1xi64>) -> tensor<i64>
  // CHECK: stablehlo.dynamic_slice %arg0, %[[I0]], %[[I1]], sizes = [3, 2]
  %0 = stablehlo.real_dynamic_slice %a, %s, %l, %one : (tensor<10x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: @custom_call
func.func @custom_call(%a: tensor<2x3xf32>, %s: tensor<2xi64>) -> tensor<2x6xf32> {
  // CHECK: stablehlo.custom_call @double(%arg0) : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %0 = stablehlo.custom_call @double(%a, %s) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
