// RUN: halo-run --backend=interpreter %s

// Values: numpy.flip.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r0 = stablehlo.reverse %x0, dims = [1] : tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi32>

  %x1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r1 = stablehlo.reverse %x1, dims = [0, 1] : tensor<2x3xf32>
  check.expect_eq_const %r1, dense<[[6.0, 5.0, 4.0], [3.0, 2.0, 1.0]]> : tensor<2x3xf32>

  %x2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui8>
  %r2 = stablehlo.reverse %x2, dims = [] : tensor<3xui8>
  check.expect_eq_const %r2, dense<[1, 2, 3]> : tensor<3xui8>

  %x3 = stablehlo.constant dense<[true, false, false]> : tensor<3xi1>
  %r3 = stablehlo.reverse %x3, dims = [0] : tensor<3xi1>
  check.expect_eq_const %r3, dense<[false, false, true]> : tensor<3xi1>

  %x4 = stablehlo.constant dense<> : tensor<2x0xf16>
  %r4 = stablehlo.reverse %x4, dims = [1] : tensor<2x0xf16>
  check.expect_eq_const %r4, dense<> : tensor<2x0xf16>

  %x5 = stablehlo.constant dense<[[(0.0, 1.0), (2.0, 0.0)]]> : tensor<1x2xcomplex<f32>>
  %r5 = stablehlo.reverse %x5, dims = [1] : tensor<1x2xcomplex<f32>>
  check.expect_eq_const %r5, dense<[[(2.0, 0.0), (0.0, 1.0)]]> : tensor<1x2xcomplex<f32>>
  func.return
}
