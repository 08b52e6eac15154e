// RUN: halo-run --backend=interpreter %s

// Values: the formula of the specification in numpy; the first is its example.

func.func @main() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %offset0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %mean0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %variance0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %r0 = "stablehlo.batch_norm_inference"(%x0, %scale0, %offset0, %mean0, %variance0) {
    epsilon = 0.0 : f32, feature_index = 2 : i64
  }
      : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  %expected0 = stablehlo.constant dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>
  check.expect_close %r0, %expected0 : tensor<2x2x2xf64>, tensor<2x2x2xf64>

  %x1 = stablehlo.constant dense<[[1.0, 2.0], [2.0, 3.0], [1.0, -3.0]]> : tensor<3x2xf32>
  %scale1 = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf32>
  %offset1 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %mean1 = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %variance1 = stablehlo.constant dense<[4.0, 0.25]> : tensor<2xf32>
  %r1 = "stablehlo.batch_norm_inference"(%x1, %scale1, %offset1, %mean1, %variance1) {
    epsilon = 0.125 : f32, feature_index = 1 : i64
  }
      : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %expected1 = stablehlo.constant dense<[[1.1230915, 2.2659864],
                                         [1.3692745, 5.531973],
                                         [1.1230915, -14.063946]]> : tensor<3x2xf32>
  check.expect_close %r1, %expected1 : tensor<3x2xf32>, tensor<3x2xf32>

  %x2 = stablehlo.constant dense<[[[3.0], [-1.0]], [[3.0], [3.0]]]> : tensor<2x2x1xf32>
  %scale2 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %offset2 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %mean2 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %variance2 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r2 = "stablehlo.batch_norm_inference"(%x2, %scale2, %offset2, %mean2, %variance2) {
    epsilon = 1.0 : f32, feature_index = 0 : i64
  }
      : (tensor<2x2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x1xf32>
  %expected2 = stablehlo.constant dense<[[[2.0], [-2.0]], [[3.1213202], [3.1213202]]]> : tensor<2x2x1xf32>
  check.expect_close %r2, %expected2 : tensor<2x2x1xf32>, tensor<2x2x1xf32>

  %x3 = stablehlo.constant dense<[[4.0, -4.0], [3.0, 1.0]]> : tensor<2x2xf16>
  %scale3 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %offset3 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf16>
  %mean3 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %variance3 = stablehlo.constant dense<[3.5, 0.0]> : tensor<2xf16>
  %r3 = "stablehlo.batch_norm_inference"(%x3, %scale3, %offset3, %mean3, %variance3) {
    epsilon = 0.5 : f32, feature_index = 1 : i64
  }
      : (tensor<2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<2x2xf16>
  %expected3 = stablehlo.constant dense<[[1.5, -15.97], [1.0, -1.828]]> : tensor<2x2xf16>
  check.expect_close %r3, %expected3 : tensor<2x2xf16>, tensor<2x2xf16>
  func.return
}
