// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<?x9x9x6xf32>, %k: tensor<3x3x2x12xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 0]], rhs_dilate = [1, 2]} {feature_group_count = 3 : i64, batch_group_count = 1 : i64} : (tensor<?x9x9x6xf32>, tensor<3x3x2x12xf32>) -> tensor<?x5x5x12xf32>
  return
}

// -----

func.func @c1(%a: tensor<1x9x2xf32>, %k: tensor<3x3x2x4xf32>) {
  // expected-error @+1 {{operand 1 has rank 4, but operand 0 has rank 3}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @c2(%a: tensor<1x9x2xf32>, %k: tensor<3x2x4xf32>) {
  // expected-error @+1 {{attribute 'window_strides' has 2 entries, but the window has rank 1}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @c6(%a: tensor<1x9x2xf32>, %k: tensor<3x2x4xf32>) {
  // expected-error @+1 {{attribute 'lhs_dilation' has 0 for dimension 0, but must be at least 1}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [0]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @c10(%a: tensor<3x9x2xf32>, %k: tensor<3x2x4xf32>) {
  // expected-error @+1 {{dimension 0 of operand 0 has size 3, but attribute 'batch_group_count' is 2, which does not divide it}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 2 : i64} : (tensor<3x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @c14(%a: tensor<1x9x2xf32>, %k: tensor<3x5x4xf32>) {
  // expected-error @+1 {{dimension 1 of operand 1 has size 5, but a group of input features has size 2}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x5x4xf32>) -> tensor<1x7x4xf32>
  return
}

// -----

func.func @c23(%a: tensor<4x9x4xf32>, %k: tensor<3x2x4xf32>) {
  // expected-error @+1 {{attribute 'feature_group_count' is 2 and 'batch_group_count' is 2, but one of them must be 1}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 2 : i64, batch_group_count = 2 : i64} : (tensor<4x9x4xf32>, tensor<3x2x4xf32>) -> tensor<2x7x4xf32>
  return
}

// -----

func.func @c25(%a: tensor<1x9x2xf32>, %k: tensor<3x2x4xf32>) {
  // expected-error @+1 {{result 0 has shape 1x8x4, but the operands and attributes of the op imply shape 1x7x4}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x9x2xf32>, tensor<3x2x4xf32>) -> tensor<1x8x4xf32>
  return
}
