// RUN: halo-run --backend=interpreter %s

// Values: jax.lax.conv_general_dilated.

func.func @main() {
  %x0 = stablehlo.constant dense<[[[[2], [1], [-4], [2]],
                                   [[0], [-4], [-2], [0]],
                                   [[2], [0], [1], [3]],
                                   [[2], [-1], [1], [1]]]]> : tensor<1x4x4x1xi64>
  %k0 = stablehlo.constant dense<[[[[-4]], [[-4]], [[1]]],
                                  [[[-1]], [[1]], [[-2]]],
                                  [[[-2]], [[-3]], [[-1]]]]> : tensor<3x3x1x1xi64>
  %pad0 = stablehlo.constant dense<0> : tensor<2x2xi64>
  %r0 = "stablehlo.dynamic_conv"(%x0, %k0, %pad0) {
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    window_strides = array<i64: 4, 4>,
    lhs_dilation = array<i64: 2, 2>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>, tensor<2x2xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %r0, dense<[[[[-3], [22]], [[-11], [-4]]]]> : tensor<1x2x2x1xi64>

  %x1 = stablehlo.constant dense<[[[0.0, 1.0],
                                   [0.0, 2.0],
                                   [4.0, -3.0],
                                   [1.0, -1.0],
                                   [-1.0, -2.0]]]> : tensor<1x5x2xf32>
  %k1 = stablehlo.constant dense<[[[-4.0], [-1.0]], [[3.0], [-4.0]], [[-1.0], [4.0]]]> : tensor<3x2x1xf32>
  %pad1 = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi64>
  %r1 = "stablehlo.dynamic_conv"(%x1, %k1, %pad1) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    window_strides = array<i64: 2>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x5x2xf32>, tensor<3x2x1xf32>, tensor<1x2xi64>) -> tensor<1x3x1xf32>
  check.expect_eq_const %r1, dense<[[[4.0], [17.0], [2.0]]]> : tensor<1x3x1xf32>

  // Entries beyond the dimensions of the window say nothing.
  %r1s = "stablehlo.dynamic_conv"(%x1, %k1, %pad1) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    window_strides = array<i64: 2, 2>, window_reversal = array<i1: false, true>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x5x2xf32>, tensor<3x2x1xf32>, tensor<1x2xi64>) -> tensor<1x3x1xf32>
  check.expect_eq_const %r1s, dense<[[[4.0], [17.0], [2.0]]]> : tensor<1x3x1xf32>

  %x2 = stablehlo.constant dense<[[[4.0], [-3.0], [-4.0]], [[2.0], [-4.0], [-2.0]]]> : tensor<2x3x1xf64>
  %k2 = stablehlo.constant dense<[[[0.0]], [[3.0]]]> : tensor<2x1x1xf64>
  %pad2 = stablehlo.constant dense<[[2, -1]]> : tensor<1x2xi64>
  %r2 = "stablehlo.dynamic_conv"(%x2, %k2, %pad2) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    rhs_dilation = array<i64: 2>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<2x3x1xf64>, tensor<2x1x1xf64>, tensor<1x2xi64>) -> tensor<2x2x1xf64>
  check.expect_eq_const %r2, dense<[[[12.0], [-9.0]], [[6.0], [-12.0]]]> : tensor<2x2x1xf64>

  %x3 = stablehlo.constant dense<[[[-4], [1], [0]]]> : tensor<1x3x1xi32>
  %k3 = stablehlo.constant dense<[[[-3]], [[3]], [[3]]]> : tensor<3x1x1xi32>
  %pad3 = stablehlo.constant dense<[[1, 1]]> : tensor<1x2xi64>
  %r3 = "stablehlo.dynamic_conv"(%x3, %k3, %pad3) {
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    lhs_dilation = array<i64: 2>,
    window_reversal = array<i1: true>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  } : (tensor<1x3x1xi32>, tensor<3x1x1xi32>, tensor<1x2xi64>) -> tensor<1x5x1xi32>
  check.expect_eq_const %r3, dense<[[[-12], [-15], [3], [3], [0]]]> : tensor<1x5x1xi32>
  func.return
}
