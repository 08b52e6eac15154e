// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.reshape.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r0 = stablehlo.reshape %x0 : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %r0, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>

  %x1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r1 = stablehlo.reshape %x1 : (tensor<4xf32>) -> tensor<2x1x2xf32>
  check.expect_eq_const %r1, dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>

  %x2 = stablehlo.constant dense<[[true]]> : tensor<1x1xi1>
  %r2 = stablehlo.reshape %x2 : (tensor<1x1xi1>) -> tensor<i1>
  check.expect_eq_const %r2, dense<true> : tensor<i1>

  %x3 = stablehlo.constant dense<5> : tensor<i64>
  %r3 = stablehlo.reshape %x3 : (tensor<i64>) -> tensor<1x1xi64>
  check.expect_eq_const %r3, dense<[[5]]> : tensor<1x1xi64>

  %x4 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 1.0)]> : tensor<2xcomplex<f32>>
  %r4 = stablehlo.reshape %x4 : (tensor<2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_eq_const %r4, dense<[[(0.0, 1.0)], [(2.0, 1.0)]]> : tensor<2x1xcomplex<f32>>

  %x5 = stablehlo.constant dense<> : tensor<0x3xf64>
  %r5 = stablehlo.reshape %x5 : (tensor<0x3xf64>) -> tensor<2x0xf64>
  check.expect_eq_const %r5, dense<> : tensor<2x0xf64>
  func.return
}

func.func @narrow() {
  %x = stablehlo.constant dense<[[-8, 1, 7]]> : tensor<1x3xi4>
  %r = stablehlo.reshape %x : (tensor<1x3xi4>) -> tensor<3xi4>
  check.expect_eq_const %r, dense<[-8, 1, 7]> : tensor<3xi4>
  func.return
}
