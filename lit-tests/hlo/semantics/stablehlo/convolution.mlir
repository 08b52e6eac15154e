// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @convolution_c1(%a: tensor<1x9x2xf32>, %b: tensor<3x3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op operand 1 has rank 4, but operand 0 has rank 3}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c2(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'window_strides' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c3(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'window_strides' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.convolution"(%a, %b) {window_strides = array<i64: 0>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c4(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'padding' has shape 2x2, but the window needs shape 1x2}}
  %0 = "stablehlo.convolution"(%a, %b) {padding = dense<0> : tensor<2x2xi64>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c5(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'lhs_dilation' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.convolution"(%a, %b) {lhs_dilation = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c6(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'lhs_dilation' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.convolution"(%a, %b) {lhs_dilation = array<i64: 0>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c7(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'rhs_dilation' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.convolution"(%a, %b) {rhs_dilation = array<i64: 1, 1>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c8(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'rhs_dilation' has -1 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.convolution"(%a, %b) {rhs_dilation = array<i64: -1>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c9(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'window_reversal' has 2 entries, but the window has rank 1}}
  %0 = "stablehlo.convolution"(%a, %b) {window_reversal = array<i1: true, true>, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c10(%a: tensor<3x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op dimension 0 of operand 0 has size 3, but attribute 'batch_group_count' is 2, which does not divide it}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<3x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c11(%a: tensor<1x9x3xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op dimension 2 of operand 0 has size 3, but attribute 'feature_group_count' is 2, which does not divide it}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x9x3xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c12(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{has 4 entries, but operand 0 has rank 3}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c13(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{has 0 twice}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c18(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{has dimension 3, but operand 0 has rank 3}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c20(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{has 1 twice}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c14(%a: tensor<1x9x2xf32>, %b: tensor<3x5x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op dimension 1 of operand 1 has size 5, but a group of input features has size 2}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x5x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c15(%a: tensor<2x9x2xf32>, %b: tensor<3x2x5xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op dimension 2 of operand 1 has size 5, but attribute 'batch_group_count' is 2, which does not divide it}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<2x9x2xf32>, tensor<3x2x5xf32>) -> tensor<1x7x5xf32>
  return
}

// -----

func.func @convolution_c16(%a: tensor<1x9x4xf32>, %b: tensor<3x2x5xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op dimension 2 of operand 1 has size 5, but attribute 'feature_group_count' is 2, which does not divide it}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x9x4xf32>, tensor<3x2x5xf32>) -> tensor<1x7x5xf32>
  return
}

// -----

func.func @convolution_c21(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'feature_group_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 0 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c22(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'batch_group_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = -1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c23(%a: tensor<4x9x4xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'feature_group_count' is 2 and 'batch_group_count' is 2, but one of them must be 1}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<4x9x4xf32>, tensor<3x2x4xf32>) -> tensor<2x7x4xf32>
  return
}

// -----

func.func @convolution_c24(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op attribute 'precision_config' has 3 entries, but the op has 2 operands}}
  %0 = "stablehlo.convolution"(%a, %b) {precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>], dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c25(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op result 0 has shape 1x8x4, but the operands and attributes of the op imply shape 1x7x4}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x8x4xf32>
  return
}

// -----

func.func @convolution_c25_feature(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op result 0 has shape 1x7x5, but the operands and attributes of the op imply shape 1x7x4}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x5xf32>
  return
}

// -----

func.func @convolution_c26(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op result 0 has shape 1x7, but the operands and attributes of the op imply shape 1x7x4}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7xf32>
  return
}

// -----

func.func @convolution_c27(%a: tensor<1x9x2xf32>, %b: tensor<3x2x4xi32>) {
  // expected-error @+1 {{'stablehlo.convolution' op operand 1 has element type i32, but operand 0 has element type f32}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xi32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c28(%a: tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x4xf32>) {
  // expected-error @+1 {{'stablehlo.convolution' op operand 1 has element type f32, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @convolution_c29(%a: tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.convolution' op operand 1 is quantized along dimension 1, but its output features are dimension 2}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x7x2x!quant.uniform<i32:f32:2, {0.5, 0.25}>>
  return
}

// -----

func.func @convolution_c30(%a: tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.convolution' op result 0 is quantized along dimension 1, but its output features are dimension 2}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>) -> tensor<1x7x2x!quant.uniform<i32:f32:1, {0.5, 0.25, 0.5, 0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @convolution_c31(%a: tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.convolution' op operand 1 stores i16, but operand 0 stores i8}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i16:f32, 0.5>>) -> tensor<1x7x2x!quant.uniform<i32:f32, 0.25>>
  return
}

// -----

func.func @convolution_c32(%a: tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x2x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error @+1 {{'stablehlo.convolution' op operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>, but operand 1 expresses f16}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f16, 0.5>>) -> tensor<1x7x2x!quant.uniform<i32:f16, 0.25>>
  return
}

// -----

func.func @convolution_c33(%a: tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.convolution' op result 0 is quantized per axis, but operand 1 is quantized per tensor}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x7x2x!quant.uniform<i32:f32:2, {0.5, 0.25}>>
  return
}

// -----

func.func @convolution_c34(%a: tensor<1x9x2xf64>, %b: tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.convolution' op operand 0 has element type f64, but operand 1 expresses f32}}
  %0 = "stablehlo.convolution"(%a, %b) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf64>, tensor<3x2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x7x2xf64>
  return
}

// -----

func.func @convolution_window_attribute(%a: tensor<1x4x1xf32>, %k: tensor<2x1x1xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.convolution' unknown window attribute 'strides', expected stride, pad, lhs_dilate, rhs_dilate or reverse}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {strides = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @convolution_window_attribute_twice(%a: tensor<1x4x1xf32>, %k: tensor<2x1x1xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.convolution' 'stride' given twice}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return
}
