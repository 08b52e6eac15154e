// RUN: halo-run --backend=interpreter %s

// Values: shape, bounds and mean of the distribution, which is all that is defined.

func.func @main() {
  // Uniform: within [low, high), and the mean in the middle.
  %low0 = stablehlo.constant dense<-1.0> : tensor<f32>
  %high0 = stablehlo.constant dense<3.0> : tensor<f32>
  %shape0 = stablehlo.constant dense<[8, 128]> : tensor<2xi64>
  %true0 = stablehlo.constant dense<true> : tensor<i1>
  %zero0 = stablehlo.constant dense<0.0> : tensor<f32>
  %count0 = stablehlo.constant dense<1024.0> : tensor<f32>
  %r0 = stablehlo.rng %low0, %high0, %shape0, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<8x128xf32>
  %l0 = stablehlo.broadcast_in_dim %low0, dims = [] : (tensor<f32>) -> tensor<8x128xf32>
  %h0 = stablehlo.broadcast_in_dim %high0, dims = [] : (tensor<f32>) -> tensor<8x128xf32>
  %a0 = stablehlo.compare GE, %r0, %l0 : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xi1>
  %b0 = stablehlo.compare LT, %r0, %h0 : (tensor<8x128xf32>, tensor<8x128xf32>) -> tensor<8x128xi1>
  %c0 = stablehlo.and %a0, %b0 : tensor<8x128xi1>
  %in0 = stablehlo.reduce(%c0 init: %true0) applies stablehlo.and across dimensions = [0, 1]
      : (tensor<8x128xi1>, tensor<i1>) -> tensor<i1>
  %total0 = stablehlo.reduce(%r0 init: %zero0) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<8x128xf32>, tensor<f32>) -> tensor<f32>
  %mean0 = stablehlo.divide %total0, %count0 : tensor<f32>
  check.expect_almost_eq_const %mean0, dense<1.0> : tensor<f32> {tolerance = 2.5e-1 : f64}
  check.expect_eq_const %in0, dense<true> : tensor<i1>

  // Normal: finite, mean 5 and second moment 5 * 5 + 2 * 2.
  %mu1 = stablehlo.constant dense<5.0> : tensor<f64>
  %sigma1 = stablehlo.constant dense<2.0> : tensor<f64>
  %shape1 = stablehlo.constant dense<[1024]> : tensor<1xi64>
  %true1 = stablehlo.constant dense<true> : tensor<i1>
  %zero1 = stablehlo.constant dense<0.0> : tensor<f64>
  %count1 = stablehlo.constant dense<1024.0> : tensor<f64>
  %r1 = stablehlo.rng %mu1, %sigma1, %shape1, distribution = NORMAL
      : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<1024xf64>
  %finite1 = stablehlo.is_finite %r1 : (tensor<1024xf64>) -> tensor<1024xi1>
  %in1 = stablehlo.reduce(%finite1 init: %true1) applies stablehlo.and across dimensions = [0]
      : (tensor<1024xi1>, tensor<i1>) -> tensor<i1>
  %total1 = stablehlo.reduce(%r1 init: %zero1) applies stablehlo.add across dimensions = [0]
      : (tensor<1024xf64>, tensor<f64>) -> tensor<f64>
  %mean1 = stablehlo.divide %total1, %count1 : tensor<f64>
  %squares1 = stablehlo.multiply %r1, %r1 : tensor<1024xf64>
  %moment1 = stablehlo.reduce(%squares1 init: %zero1) applies stablehlo.add across dimensions = [0]
      : (tensor<1024xf64>, tensor<f64>) -> tensor<f64>
  %second1 = stablehlo.divide %moment1, %count1 : tensor<f64>
  check.expect_almost_eq_const %mean1, dense<5.0> : tensor<f64> {tolerance = 4.0e-1 : f64}
  check.expect_almost_eq_const %second1, dense<29.0> : tensor<f64> {tolerance = 4.0 : f64}
  check.expect_eq_const %in1, dense<true> : tensor<i1>

  // Integers: of 256 draws each bound is met but with probability 1e-24.
  %low2 = stablehlo.constant dense<-2> : tensor<i32>
  %high2 = stablehlo.constant dense<3> : tensor<i32>
  %shape2 = stablehlo.constant dense<[256]> : tensor<1xi64>
  %r2 = stablehlo.rng %low2, %high2, %shape2, distribution = UNIFORM
      : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<256xi32>
  %least2 = stablehlo.reduce(%r2 init: %high2) applies stablehlo.minimum across dimensions = [0]
      : (tensor<256xi32>, tensor<i32>) -> tensor<i32>
  %most2 = stablehlo.reduce(%r2 init: %low2) applies stablehlo.maximum across dimensions = [0]
      : (tensor<256xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %least2, dense<-2> : tensor<i32>
  check.expect_eq_const %most2, dense<2> : tensor<i32>

  // Two ops draw different numbers.
  %low3 = stablehlo.constant dense<0.0> : tensor<f32>
  %high3 = stablehlo.constant dense<1.0> : tensor<f32>
  %shape3 = stablehlo.constant dense<[8]> : tensor<1xi64>
  %true3 = stablehlo.constant dense<true> : tensor<i1>
  %a3 = stablehlo.rng %low3, %high3, %shape3, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  %b3 = stablehlo.rng %low3, %high3, %shape3, distribution = UNIFORM
      : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  %c3 = stablehlo.compare EQ, %a3, %b3 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %same3 = stablehlo.reduce(%c3 init: %true3) applies stablehlo.and across dimensions = [0]
      : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %same3, dense<false> : tensor<i1>
  func.return
}
