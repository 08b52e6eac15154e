// Windows that move over tensors: cumulative ops, selection and convolution.

// `numpy.cumsum(x, 1)` and `jax.lax.cumsum(x, 0, reverse=True)`.
func.func @cumulative_sums_along_rows_and_columns() {
  %x = stablehlo.constant {input} dense<[[1, 2, 3, 4], [5, 6, 7, 8], [-1, -2, -3, -4]]>
    : tensor<3x4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}
    : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
  %1 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {window_dimensions = array<i64: 3, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>}
    : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
  check.expect_eq_const %0, dense<[[1, 3, 6, 10], [5, 11, 18, 26], [-1, -3, -6, -10]]>
    : tensor<3x4xi32>
  check.expect_eq_const %1, dense<[[5, 6, 7, 8], [4, 4, 4, 4], [-1, -2, -3, -4]]> : tensor<3x4xi32>
  return
}

// `numpy.maximum.accumulate` and the place of the first maximum.
func.func @cumulative_ops_of_two_operands() {
  %x = stablehlo.constant {input} dense<[2.0, 5.0, 3.0, 7.0, 7.0, 1.0]> : tensor<6xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %places = stablehlo.iota dim = 0 : tensor<6xi32>
  %0:2 = "stablehlo.reduce_window"(%x, %places, %least, %zero) ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %2 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
    %4 = stablehlo.select %2, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
  }) {window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}
    : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
  check.expect_eq_const %0#0, dense<[2.0, 5.0, 5.0, 7.0, 7.0, 7.0]> : tensor<6xf32>
  check.expect_eq_const %0#1, dense<[0, 1, 1, 3, 3, 3]> : tensor<6xi32>
  return
}

// Each place that a window has over padding adds the initial value, as the
// formula says: no scan. 2 + 2 (3 - i) + cumsum.
func.func @initial_values_that_are_not_neutral_count_each_time() {
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4]> : tensor<4xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %two) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}
    : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[9, 9, 10, 12]> : tensor<4xi32>
  return
}

// The gradient that JAX gives of a maximum over windows of 2 by 2, padded in
// front.
func.func @scatters_to_what_windows_select() {
  %x = stablehlo.constant {input} dense<[[1.0, 5.0, 2.0], [3.0, 5.0, 4.0], [9.0, 0.0, 1.0]]>
    : tensor<3x3xf32>
  %g = stablehlo.constant {input} dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>,
      padding = dense<[[1, 0], [1, 0]]> : tensor<2x2xi64>}
    : (tensor<3x3xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<3x3xf32>
  check.expect_eq_const %0, dense<[[1.0, 2.0, 0.0], [0.0, 4.0, 0.0], [3.0, 0.0, 0.0]]>
    : tensor<3x3xf32>
  return
}

// `jax.lax.conv_general_dilated(feature_group_count=2)`.
func.func @convolves_each_channel_alone() {
  %x = stablehlo.constant {input} dense<[[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]]>
    : tensor<1x6x2xi32>
  %w = stablehlo.constant {input} dense<[[[1, 2]], [[3, -1]], [[0, 1]]]> : tensor<3x1x2xi32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {feature_group_count = 2 : i64, batch_group_count = 1 : i64}
    : (tensor<1x6x2xi32>, tensor<3x1x2xi32>) -> tensor<1x4x2xi32>
  check.expect_eq_const %0, dense<[[[6, 4], [14, 8], [22, 12], [30, 16]]]> : tensor<1x4x2xi32>
  return
}

// `jax.lax.conv_general_dilated(feature_group_count=2)` with dilations of the input: few products
// are not by zero, and some outputs have none.
func.func @convolves_dilated_inputs() {
  %x = stablehlo.constant {input} dense<[[[1, 2], [3, -1], [0, 4]]]> : tensor<1x3x2xi32>
  %w = stablehlo.constant {input} dense<[[[1, 2]], [[3, -1]], [[0, 1]], [[2, 0]]]>
    : tensor<4x1x2xi32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[2, 1]], lhs_dilate = [3]} {feature_group_count = 2 : i64, batch_group_count = 1 : i64}
    : (tensor<1x3x2xi32>, tensor<4x1x2xi32>) -> tensor<1x7x2xi32>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [2], pad = [[1, 3]], lhs_dilate = [3], rhs_dilate = [2]} {feature_group_count = 2 : i64, batch_group_count = 1 : i64}
    : (tensor<1x3x2xi32>, tensor<4x1x2xi32>) -> tensor<1x3x2xi32>
  %2 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[3, 1]], lhs_dilate = [4], rhs_dilate = [2]} {feature_group_count = 2 : i64, batch_group_count = 1 : i64}
    : (tensor<1x3x2xi32>, tensor<4x1x2xi32>) -> tensor<1x7x2xi32>
  check.expect_eq_const %0,
    dense<[[[0, 2], [3, -2], [7, 4], [0, -1], [9, 1], [3, -2], [0, 4]]]> : tensor<1x7x2xi32>
  check.expect_eq_const %1, dense<[[[0, -1], [9, 1], [3, -2]]]> : tensor<1x3x2xi32>
  check.expect_eq_const %2,
    dense<[[[0, 0], [9, -2], [0, 0], [1, 3], [0, 0], [9, 1], [0, 0]]]> : tensor<1x7x2xi32>
  return
}

// The zeros between the elements of a dilated input are not multiplied, those around it are:
// infinite weights give NaN only there. Two phases, one, and more than are computed apart.
func.func @infinite_weights_skip_dilation() {
  %x = stablehlo.constant {input} dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %w = stablehlo.constant {input} dense<[[[0x7F800000]], [[2.0]]]> : tensor<2x1x1xf32>
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[2, 1]], lhs_dilate = [2]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x5x1xf32>
  %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [2], pad = [[1, 1]], lhs_dilate = [2]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x2x1xf32>
  %2 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {lhs_dilate = [65]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x65x1xf32>
  %3 = stablehlo.slice %2 [0:1, 0:65:32, 0:1] : (tensor<1x65x1xf32>) -> tensor<1x3x1xf32>
  check.expect_eq_const %0,
    dense<[[[0x7FC00000], [2.0], [0x7F800000], [4.0], [0x7F800000]]]> : tensor<1x5x1xf32>
  check.expect_eq_const %1, dense<[[[2.0], [4.0]]]> : tensor<1x2x1xf32>
  check.expect_eq_const %3, dense<[[[0x7F800000], [0.0], [4.0]]]> : tensor<1x3x1xf32>
  return
}

// Windows that do not reach the end: `x[0] + x[1]` with strides of 4.
func.func @windows_need_not_reach_the_end() {
  %x = stablehlo.constant {input} dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %4 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 4>}
    : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %x : (tensor<5xi32>) -> tensor<1x5x1xi32>
  %2 = stablehlo.constant dense<1> : tensor<2x1x1xi32>
  %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [4]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
    : (tensor<1x5x1xi32>, tensor<2x1x1xi32>) -> tensor<1x1x1xi32>
  check.expect_eq_const %0, dense<3> : tensor<1xi32>
  check.expect_eq_const %3, dense<3> : tensor<1x1x1xi32>
  return
}
