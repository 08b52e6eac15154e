// RUN: halo-run --backend=interpreter %s

// Values: numpy.real; of a real number the imaginary part is 0.

func.func @main() {
  %z0 = stablehlo.constant dense<[(1.0, 2.0), (-0.0, 0x7F800000), (0x7FC00000, -3.0)]> : tensor<3xcomplex<f32>>
  %r0 = stablehlo.real %z0 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_eq_const %r0, dense<[1.0, -0.0, 0x7FC00000]> : tensor<3xf32>

  %z1 = stablehlo.constant dense<[(0.1, 0.2)]> : tensor<1xcomplex<f64>>
  %r1 = stablehlo.real %z1 : (tensor<1xcomplex<f64>>) -> tensor<1xf64>
  check.expect_eq_const %r1, dense<[0.1]> : tensor<1xf64>

  %z2 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %r2 = stablehlo.real %z2 : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r2, dense<[1.5, -2.0]> : tensor<2xf32>

  %z3 = stablehlo.constant dense<[3.0, -1.0]> : tensor<2xbf16>
  %r3 = stablehlo.real %z3 : (tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %r3, dense<[3.0, -1.0]> : tensor<2xbf16>

  %z4 = stablehlo.constant dense<> : tensor<0x1xcomplex<f32>>
  %r4 = stablehlo.real %z4 : (tensor<0x1xcomplex<f32>>) -> tensor<0x1xf32>
  check.expect_eq_const %r4, dense<> : tensor<0x1xf32>
  func.return
}
