// Padding, and what reads padded tensors.

// The specification's example of `pad`.
func.func @pads_edges_and_between_elements() {
  %a = stablehlo.constant {input} dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %a, %zero, low = [0, 1], high = [2, 1], interior = [1, 2]
    : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
  check.expect_eq_const %0, dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0]]>
    : tensor<5x9xi32>
  return
}

// Negative padding cuts: `numpy.arange(6)[1:-2]`.
func.func @pads_with_less_than_nothing() {
  %a = stablehlo.constant {input} dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %a, %zero, low = [-1], high = [-2], interior = [0]
    : (tensor<6xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// Sums and maxima over windows of what `numpy.pad` makes, and its negation.
func.func @padding_is_read_without_a_buffer() {
  %x = stablehlo.constant {input} dense<[[[[-5, 2, -2], [5, 1, -3], [4, 0, -4], [3, -1, -5]],
      [[2, -2, 5], [1, -3, 4], [0, -4, 3], [-1, -5, 2]], [[-2, 5, 1], [-3, 4, 0], [-4, 3, -1],
      [-5, 2, -2]], [[5, 1, -3], [4, 0, -4], [3, -1, -5], [2, -2, 5]], [[1, -3, 4], [0, -4, 3],
      [-1, -5, 2], [-2, 5, 1]]]]> : tensor<1x5x4x3xi32>
  %k = stablehlo.constant {input} dense<[[[[-3, 2, 0]], [[-2, 3, 1]], [[-1, -3, 2]]], [[[0, -2, 3]],
      [[1, -1, -3]], [[2, 0, -2]]], [[[3, 1, -1]], [[-3, 2, 0]], [[-2, 3, 1]]]]>
    : tensor<3x3x1x3xi32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 3 : i64, batch_group_count = 1 : i64}
    : (tensor<1x5x4x3xi32>, tensor<3x3x1x3xi32>) -> tensor<1x5x4x3xi32>
  %1 = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<1x5x4x3xi32>) -> tensor<1x3x5x4xi32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %2 = "stablehlo.reduce_window"(%1, %least) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %6 = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %6 : tensor<i32>
  }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>,
      padding = dense<[[0, 0], [0, 0], [0, 1], [2, 1]]> : tensor<4x2xi64>}
    : (tensor<1x3x5x4xi32>, tensor<i32>) -> tensor<1x3x2x3xi32>
  %3 = stablehlo.slice %1 [0:1, 0:1, 0:5, 0:4] : (tensor<1x3x5x4xi32>) -> tensor<1x1x5x4xi32>
  %4 = stablehlo.reshape %3 : (tensor<1x1x5x4xi32>) -> tensor<5x4xi32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %5 = stablehlo.pad %4, %nine, low = [2, 0], high = [1, 3], interior = [0, 0]
    : (tensor<5x4xi32>, tensor<i32>) -> tensor<8x7xi32>
  %6 = stablehlo.negate %5 : tensor<8x7xi32>
  check.expect_eq_const %0, dense<[[[[-3, -15, 16], [16, -25, 9], [15, -28, 11], [6, -13, 0]],
      [[21, 27, -31], [13, 36, -16], [-15, 31, -17], [-16, 17, -1]], [[-36, 0, 6], [-22, -17, 13],
      [-17, -22, 23], [0, -36, 10]], [[17, -16, 21], [31, -15, 9], [36, 13, -14], [27, 21, -34]],
      [[-13, 6, -29], [-28, 15, -15], [-25, 16, 6], [-15, -3, 8]]]]> : tensor<1x5x4x3xi32>
  check.expect_eq_const %2, dense<[[[[2, 5, 4], [5, 5, 3]], [[5, 5, 3], [5, 5, 5]], [[5, 5, 3],
      [4, 4, 5]]]]> : tensor<1x3x2x3xi32>
  check.expect_eq_const %6, dense<[[-9, -9, -9, -9, -9, -9, -9], [-9, -9, -9, -9, -9, -9, -9],
      [5, -5, -4, -3, -9, -9, -9], [-2, -1, 0, 1, -9, -9, -9], [2, 3, 4, 5, -9, -9, -9],
      [-5, -4, -3, -2, -9, -9, -9], [-1, 0, 1, 2, -9, -9, -9], [-9, -9, -9, -9, -9, -9, -9]]>
    : tensor<8x7xi32>
  return
}

// What is read with padding around it is itself a padded value that others read. The
// numbers are numpy's.
func.func @padding_around_padding_is_read() {
  %x = stablehlo.constant {input} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]>
    : tensor<3x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>,
      padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}
    : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %moved = stablehlo.pad %sums, %zero, low = [1, 0], high = [-1, 0], interior = [0, 0]
    : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %again = "stablehlo.reduce_window"(%moved, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {window_dimensions = array<i64: 3, 1>,
      padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}
    : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
  %least = stablehlo.minimum %sums, %moved : tensor<3x3xf32>
  check.expect_eq_const %again, dense<[[3.0, 6.0, 5.0], [12.0, 21.0, 16.0], [12.0, 21.0, 16.0]]>
    : tensor<3x3xf32>
  check.expect_eq_const %least, dense<[[0.0, 0.0, 0.0], [3.0, 6.0, 5.0], [9.0, 15.0, 11.0]]>
    : tensor<3x3xf32>
  return
}
