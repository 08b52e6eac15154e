// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.arange, broadcast.

func.func @main() {
  %r0 = stablehlo.iota dim = 0 : tensor<4xi32>
  check.expect_eq_const %r0, dense<[0, 1, 2, 3]> : tensor<4xi32>

  %r1 = stablehlo.iota dim = 1 : tensor<2x3xi64>
  check.expect_eq_const %r1, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi64>

  %r2 = stablehlo.iota dim = 0 : tensor<2x3xui8>
  check.expect_eq_const %r2, dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xui8>

  %r3 = stablehlo.iota dim = 0 : tensor<3x2xf32>
  check.expect_eq_const %r3, dense<[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]> : tensor<3x2xf32>

  %r4 = stablehlo.iota dim = 0 : tensor<3xbf16>
  check.expect_eq_const %r4, dense<[0.0, 1.0, 2.0]> : tensor<3xbf16>

  %r5 = stablehlo.iota dim = 2 : tensor<1x2x2xf64>
  check.expect_eq_const %r5, dense<[[[0.0, 1.0], [0.0, 1.0]]]> : tensor<1x2x2xf64>

  %r6 = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
  check.expect_eq_const %r6, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>

  %r7 = stablehlo.iota dim = 1 : tensor<0x2xi32>
  check.expect_eq_const %r7, dense<> : tensor<0x2xi32>
  func.return
}

func.func @narrow() {
  %r0 = stablehlo.iota dim = 0 : tensor<4xi4>
  check.expect_eq_const %r0, dense<[0, 1, 2, 3]> : tensor<4xi4>

  %r1 = stablehlo.iota dim = 0 : tensor<3xf8E5M2>
  check.expect_eq_const %r1, dense<[0.0, 1.0, 2.0]> : tensor<3xf8E5M2>
  func.return
}
