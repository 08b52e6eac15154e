// RUN: halo-run --backend=interpreter %s

// Values: the formula of the specification in numpy; the first is its example.

func.func @main() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %offset0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %r0, %mean0, %variance0 = "stablehlo.batch_norm_training"(%x0, %scale0, %offset0) {
    epsilon = 0.0 : f32, feature_index = 2 : i64
  }
      : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  %expected0 = stablehlo.constant dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  check.expect_close %r0, %expected0, max_ulp_difference = 8 : tensor<2x2x2xf64>, tensor<2x2x2xf64>
  %mean_expected0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  check.expect_close %mean0, %mean_expected0, max_ulp_difference = 8 : tensor<2xf64>, tensor<2xf64>
  %variance_expected0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  check.expect_close %variance0, %variance_expected0, max_ulp_difference = 8
      : tensor<2xf64>, tensor<2xf64>

  %x1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]]> : tensor<3x2xf32>
  %scale1 = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %offset1 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %r1, %mean1, %variance1 = "stablehlo.batch_norm_training"(%x1, %scale1, %offset1) {
    epsilon = 0.125 : f32, feature_index = 1 : i64
  }
      : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %expected1 = stablehlo.constant dense<[[0.40149438, -1.9136643],
                                         [1.0, 1.7409931],
                                         [1.5985056, -2.8273287]]> : tensor<3x2xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 8 : tensor<3x2xf32>, tensor<3x2xf32>
  %mean_expected1 = stablehlo.constant dense<[3.0, 3.0]> : tensor<2xf32>
  check.expect_close %mean1, %mean_expected1, max_ulp_difference = 8 : tensor<2xf32>, tensor<2xf32>
  %variance_expected1 = stablehlo.constant dense<[2.6666667, 4.6666665]> : tensor<2xf32>
  check.expect_close %variance1, %variance_expected1, max_ulp_difference = 8
      : tensor<2xf32>, tensor<2xf32>

  %x2 = stablehlo.constant dense<[[[1.0], [3.0]], [[2.0], [6.0]]]> : tensor<2x2x1xf32>
  %scale2 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %offset2 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r2, %mean2, %variance2 = "stablehlo.batch_norm_training"(%x2, %scale2, %offset2) {
    epsilon = 1.0 : f32, feature_index = 0 : i64
  }
      : (tensor<2x2x1xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x1xf32>, tensor<2xf32>, tensor<2xf32>)
  %expected2 = stablehlo.constant dense<[[[-0.70710677], [0.70710677]],
                                         [[-1.6832815], [3.6832817]]]> : tensor<2x2x1xf32>
  check.expect_close %r2, %expected2, max_ulp_difference = 8 : tensor<2x2x1xf32>, tensor<2x2x1xf32>
  %mean_expected2 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  check.expect_close %mean2, %mean_expected2, max_ulp_difference = 8 : tensor<2xf32>, tensor<2xf32>
  %variance_expected2 = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  check.expect_close %variance2, %variance_expected2, max_ulp_difference = 8
      : tensor<2xf32>, tensor<2xf32>

  %x3 = stablehlo.constant dense<[[4.0, 4.0]]> : tensor<1x2xf32>
  %scale3 = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf32>
  %offset3 = stablehlo.constant dense<[0.5, 7.0]> : tensor<2xf32>
  %r3, %mean3, %variance3 = "stablehlo.batch_norm_training"(%x3, %scale3, %offset3) {
    epsilon = 0.25 : f32, feature_index = 1 : i64
  }
      : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %expected3 = stablehlo.constant dense<[[0.5, 7.0]]> : tensor<1x2xf32>
  check.expect_close %r3, %expected3, max_ulp_difference = 8 : tensor<1x2xf32>, tensor<1x2xf32>
  %mean_expected3 = stablehlo.constant dense<[4.0, 4.0]> : tensor<2xf32>
  check.expect_close %mean3, %mean_expected3, max_ulp_difference = 8 : tensor<2xf32>, tensor<2xf32>
  %variance_expected3 = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
  check.expect_close %variance3, %variance_expected3, max_ulp_difference = 8
      : tensor<2xf32>, tensor<2xf32>
  func.return
}
