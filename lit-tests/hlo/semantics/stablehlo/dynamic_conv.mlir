// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_conv_c1(%a: tensor<1x9x2xf32>, %b: tensor<3x3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op operand 1 has rank 4, but operand 0 has rank 3}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c2(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op attribute 'window_strides' has 0 entries, but the window has rank 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {window_strides = array<i64>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c3(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op attribute 'window_strides' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {window_strides = array<i64: 0>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c4(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<2x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op operand 2 has shape 2x2, but the window needs shape 1x2}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<2x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c5(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op attribute 'lhs_dilation' has 0 entries, but the window has rank 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {lhs_dilation = array<i64>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c6(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op attribute 'lhs_dilation' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {lhs_dilation = array<i64: 0>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c7(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op attribute 'rhs_dilation' has 0 entries, but the window has rank 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {rhs_dilation = array<i64>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c8(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op attribute 'rhs_dilation' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {rhs_dilation = array<i64: 0>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c9(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op attribute 'window_reversal' has 0 entries, but the window has rank 1}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {window_reversal = array<i1>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c10(%a: tensor<3x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op dimension 0 of operand 0 has size 3, but attribute 'batch_group_count' is 2, which does not divide it}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<3x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c11(%a: tensor<1x9x3xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op dimension 2 of operand 0 has size 3, but attribute 'feature_group_count' is 2, which does not divide it}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x9x3xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c14(%a: tensor<1x9x2xf32>, %b: tensor<3x5x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op dimension 1 of operand 1 has size 5, but a group of input features has size 2}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x5x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c25(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op result 0 has shape 2x?x4, but the operands and attributes of the op imply shape 1x?x4}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<2x?x4xf32>
  return
}

// -----

func.func @dynamic_conv_c26(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op result 0 has shape 1x?x4x1, but the operands and attributes of the op imply shape 1x?x4}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4x1xf32>
  return
}

// -----

func.func @dynamic_conv_padding_type(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xf32>) {
  // expected-error @+1 {{'stablehlo.dynamic_conv' op operand #2 must be statically shaped 2-dimensional integer tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<1x2xf32>'}}
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xf32>) -> tensor<1x?x4xf32>
  return
}

// -----

// Entries for dimensions that are not there say nothing.

func.func @dynamic_conv_surplus(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>, %c: tensor<1x2xi32>) {
  %0 = "stablehlo.dynamic_conv"(%a, %b, %c) {window_strides = array<i64: 2, 2>, lhs_dilation = array<i64: 1, 0>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: true, true>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi32>) -> tensor<1x?x4xf32>
  return
}
