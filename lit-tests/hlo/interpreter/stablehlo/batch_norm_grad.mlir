// RUN: halo-run --backend=interpreter %s

// Values: jax.vjp of the normalization; the first is the example of the specification. Sums that cancel are within 1e-3.

func.func @main() {
  %x0 = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %mean0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %variance0 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %g0 = stablehlo.constant dense<0.1> : tensor<2x2x2xf64>
  %dx0, %ds0, %do0 = "stablehlo.batch_norm_grad"(%x0, %scale0, %mean0, %variance0, %g0) {
    epsilon = 0.0 : f32, feature_index = 2 : i64
  }
      : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %dx0, dense<0.0> : tensor<2x2x2xf64>
  check.expect_almost_eq_const %ds0, dense<[0.0, 0.0]> : tensor<2xf64>
  check.expect_almost_eq_const %do0, dense<[0.4, 0.4]> : tensor<2xf64>

  %x1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]]> : tensor<3x2xf64>
  %scale1 = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf64>
  %mean1 = stablehlo.constant dense<[3.0, 3.0]> : tensor<2xf64>
  %variance1 = stablehlo.constant dense<[2.6666666666666665, 4.666666666666667]> : tensor<2xf64>
  %g1 = stablehlo.constant dense<[[1.0, 0.0], [-1.0, 2.0], [0.5, 1.0]]> : tensor<3x2xf64>
  %dx1, %ds1, %do1 = "stablehlo.batch_norm_grad"(%x1, %scale1, %mean1, %variance1, %g1) {
    epsilon = 0.125 : f32, feature_index = 1 : i64
  }
      : (tensor<3x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %dx1, dense<[[0.17791397860427183, -0.6594273388490204],
                                            [-0.34912826763767146, 0.1509532462425469],
                                            [0.17121428903339966, 0.5084740926064739]]> : tensor<3x2xf64>
  check.expect_almost_eq_const %ds1, dense<[-0.5985056016645797, 1.8273287703045145]> : tensor<2xf64>
  check.expect_almost_eq_const %do1, dense<[0.5, 3.0]> : tensor<2xf64>

  %x2 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]]> : tensor<3x2xf32>
  %scale2 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %mean2 = stablehlo.constant dense<[3.0, 3.0]> : tensor<2xf32>
  %variance2 = stablehlo.constant dense<[2.6666667, 4.6666665]> : tensor<2xf32>
  %g2 = stablehlo.constant dense<[[1.0, 0.0], [-1.0, 2.0], [0.5, 1.0]]> : tensor<3x2xf32>
  %dx2, %ds2, %do2 = "stablehlo.batch_norm_grad"(%x2, %scale2, %mean2, %variance2, %g2) {
    epsilon = 0.125 : f32, feature_index = 1 : i64
  }
      : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %dx2, dense<[[0.35582796, -0.65942734],
                                            [-0.69825655, 0.15095325],
                                            [0.34242857, 0.5084741]]> : tensor<3x2xf32>
  check.expect_almost_eq_const %ds2, dense<[-0.5985056, 1.8273288]> : tensor<2xf32>
  check.expect_almost_eq_const %do2, dense<[0.5, 3.0]> : tensor<2xf32>

  %x3 = stablehlo.constant dense<[[[1.0], [3.0]], [[2.0], [6.0]]]> : tensor<2x2x1xf32>
  %scale3 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %mean3 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %variance3 = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %g3 = stablehlo.constant dense<[[[1.0], [2.0]], [[-1.0], [3.0]]]> : tensor<2x2x1xf32>
  %dx3, %ds3, %do3 = "stablehlo.batch_norm_grad"(%x3, %scale3, %mean3, %variance3, %g3) {
    epsilon = 1.0 : f32, feature_index = 0 : i64
  }
      : (tensor<2x2x1xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2x1xf32>) -> (tensor<2x2x1xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %dx3, dense<[[[-0.17677669], [0.17677669]],
                                            [[-0.5366563], [0.5366563]]]> : tensor<2x2x1xf32>
  check.expect_almost_eq_const %ds3, dense<[0.70710677, 3.5777087]> : tensor<2xf32>
  check.expect_almost_eq_const %do3, dense<[3.0, 2.0]> : tensor<2xf32>
  func.return
}
