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
  %r0 = stablehlo.convolution(%x0, %k0)
      dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [2, 2]}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %r0, dense<[[[[-3], [22]], [[-11], [-4]]]]> : tensor<1x2x2x1xi64>

  %x1 = stablehlo.constant dense<[[[3.0], [-1.0], [-1.0], [1.0], [4.0]]]> : tensor<1x5x1xf32>
  %k1 = stablehlo.constant dense<[[[-1.0, 1.0]], [[-1.0, 1.0]]]> : tensor<2x1x2xf32>
  %r1 = stablehlo.convolution(%x1, %k1)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x5x1xf32>, tensor<2x1x2xf32>) -> tensor<1x4x2xf32>
  check.expect_eq_const %r1, dense<[[[-2.0, 2.0], [2.0, -2.0], [0.0, 0.0], [-5.0, 5.0]]]> : tensor<1x4x2xf32>

  // Strides and padding.
  %x2 = stablehlo.constant dense<[[[0.0, 1.0],
                                   [0.0, 2.0],
                                   [4.0, -3.0],
                                   [1.0, -1.0],
                                   [-1.0, -2.0]]]> : tensor<1x5x2xf32>
  %k2 = stablehlo.constant dense<[[[-4.0], [-1.0]], [[3.0], [-4.0]], [[-1.0], [4.0]]]> : tensor<3x2x1xf32>
  %r2 = stablehlo.convolution(%x2, %k2)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {stride = [2], pad = [[1, 1]]}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x5x2xf32>, tensor<3x2x1xf32>) -> tensor<1x3x1xf32>
  check.expect_eq_const %r2, dense<[[[4.0], [17.0], [2.0]]]> : tensor<1x3x1xf32>

  // Dilation of the kernel, negative padding.
  %x3 = stablehlo.constant dense<[[[4.0], [-3.0], [-4.0]], [[2.0], [-4.0], [-2.0]]]> : tensor<2x3x1xf64>
  %k3 = stablehlo.constant dense<[[[0.0]], [[3.0]]]> : tensor<2x1x1xf64>
  %r3 = stablehlo.convolution(%x3, %k3)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[2, -1]], rhs_dilate = [2]}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<2x3x1xf64>, tensor<2x1x1xf64>) -> tensor<2x2x1xf64>
  check.expect_eq_const %r3, dense<[[[12.0], [-9.0]], [[6.0], [-12.0]]]> : tensor<2x2x1xf64>

  // Reversal.
  %x4 = stablehlo.constant dense<[[[-4], [1], [0]]]> : tensor<1x3x1xi32>
  %k4 = stablehlo.constant dense<[[[-3]], [[3]], [[3]]]> : tensor<3x1x1xi32>
  %r4 = stablehlo.convolution(%x4, %k4)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[1, 1]], lhs_dilate = [2], reverse = [true]}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x3x1xi32>, tensor<3x1x1xi32>) -> tensor<1x5x1xi32>
  check.expect_eq_const %r4, dense<[[[-12], [-15], [3], [3], [0]]]> : tensor<1x5x1xi32>

  // Two groups of features.
  %x5 = stablehlo.constant dense<[[[0.0, 4.0, 1.0, 4.0],
                                   [4.0, 1.0, -2.0, -3.0],
                                   [1.0, -3.0, 2.0, 4.0]]]> : tensor<1x3x4xf32>
  %k5 = stablehlo.constant dense<[[[-2.0, 0.0, -4.0, -3.0], [-1.0, 3.0, 4.0, 1.0]],
                                  [[1.0, 1.0, -4.0, -1.0], [4.0, -1.0, -3.0, -2.0]]]> : tensor<2x2x4xf32>
  %r5 = stablehlo.convolution(%x5, %k5)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {}
      {feature_group_count = 2 : i64, batch_group_count = 1 : i64}
          : (tensor<1x3x4xf32>, tensor<2x2x4xf32>) -> tensor<1x2x4xf32>
  check.expect_eq_const %r5, dense<[[[4.0, 15.0, 29.0, 9.0], [-20.0, 7.0, -24.0, -7.0]]]> : tensor<1x2x4xf32>

  // Two groups of batches.
  %x6 = stablehlo.constant dense<[[[2.0], [-4.0], [4.0]],
                                  [[3.0], [1.0], [0.0]],
                                  [[2.0], [0.0], [0.0]],
                                  [[-2.0], [0.0], [2.0]]]> : tensor<4x3x1xf32>
  %k6 = stablehlo.constant dense<[[[-4.0, -4.0]], [[2.0, -1.0]]]> : tensor<2x1x2xf32>
  %r6 = stablehlo.convolution(%x6, %k6)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {}
      {feature_group_count = 1 : i64, batch_group_count = 2 : i64}
          : (tensor<4x3x1xf32>, tensor<2x1x2xf32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %r6, dense<[[[-16.0, -8.0], [24.0, 0.0]], [[-10.0, 8.0], [-4.0, -2.0]]]> : tensor<2x2x2xf32>

  // Another layout.
  %x7 = stablehlo.constant dense<[[[[3.0, -4.0], [4.0, -3.0], [-1.0, 4.0]],
                                   [[-4.0, 1.0], [2.0, -1.0], [-4.0, 0.0]]]]> : tensor<1x2x3x2xbf16>
  %k7 = stablehlo.constant dense<[[[[-1.0, 3.0], [2.0, -1.0]], [[-4.0, 1.0], [-2.0, 2.0]]]]> : tensor<1x2x2x2xbf16>
  %r7 = stablehlo.convolution(%x7, %k7)
      dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, 0, 1, f],
      window = {}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x2x3x2xbf16>, tensor<1x2x2x2xbf16>) -> tensor<1x2x1x1xbf16>
  check.expect_eq_const %r7, dense<[[[[7.0]], [[-20.0]]]]> : tensor<1x2x1x1xbf16>

  // No spatial dimensions.
  %x8 = stablehlo.constant dense<[[3.0, -1.0, 4.0], [0.0, 0.0, 2.0]]> : tensor<2x3xf32>
  %k8 = stablehlo.constant dense<[[3.0, 4.0], [4.0, -3.0], [-1.0, 4.0]]> : tensor<3x2xf32>
  %r8 = stablehlo.convolution(%x8, %k8)
      dim_numbers = [b, f]x[i, o]->[b, f],
      window = {}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r8, dense<[[1.0, 31.0], [-2.0, 8.0]]> : tensor<2x2xf32>

  %x9 = stablehlo.constant dense<[[[(0.0, 1.0)], [(2.0, 0.0)]]]> : tensor<1x2x1xcomplex<f32>>
  %k9 = stablehlo.constant dense<[[[(1.0, 1.0)]]]> : tensor<1x1x1xcomplex<f32>>
  %r9 = stablehlo.convolution(%x9, %k9)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x2x1xcomplex<f32>>, tensor<1x1x1xcomplex<f32>>) -> tensor<1x2x1xcomplex<f32>>
  check.expect_eq_const %r9, dense<[[[(-1.0, 1.0)], [(2.0, 2.0)]]]> : tensor<1x2x1xcomplex<f32>>

  %x10 = stablehlo.constant dense<> : tensor<0x3x1xf32>
  %k10 = stablehlo.constant dense<[[[-2.0]], [[-4.0]]]> : tensor<2x1x1xf32>
  %r10 = stablehlo.convolution(%x10, %k10)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<0x3x1xf32>, tensor<2x1x1xf32>) -> tensor<0x2x1xf32>
  check.expect_eq_const %r10, dense<> : tensor<0x2x1xf32>

  // Padding is zeros that are multiplied like others.
  %x11 = stablehlo.constant dense<[[[1.0]]]> : tensor<1x1x1xf32>
  %k11 = stablehlo.constant dense<[[[0x7F800000]], [[2.0]]]> : tensor<2x1x1xf32>
  %r11 = stablehlo.convolution(%x11, %k11)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[1, 0]]}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x1x1xf32>, tensor<2x1x1xf32>) -> tensor<1x1x1xf32>
  check.expect_eq_const %r11, dense<0x7FC00000> : tensor<1x1x1xf32>

  // The zeros between the elements of a dilated input are skipped: only the padding is multiplied
  // by infinity.
  %x12 = stablehlo.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %k12 = stablehlo.constant dense<[[[0x7F800000]], [[2.0]]]> : tensor<2x1x1xf32>
  %r12 = stablehlo.convolution(%x12, %k12)
      dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[2, 1]], lhs_dilate = [2]}
      {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<1x2x1xf32>, tensor<2x1x1xf32>) -> tensor<1x5x1xf32>
  check.expect_eq_const %r12, dense<[[[0x7FC00000], [2.0], [0x7F800000], [4.0], [0x7F800000]]]> : tensor<1x5x1xf32>
  func.return
}
