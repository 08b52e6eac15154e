// RUN: halo-run --backend=interpreter %s

// Values: numpy.conj.

func.func @main() {
  %z0 = stablehlo.constant dense<[(1.0, 2.0), (-0.0, -3.0), (0x7F800000, -0.0)]> : tensor<3xcomplex<f32>>
  %r0 = chlo.conj %z0 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_eq_const %r0, dense<[(1.0, -2.0), (-0.0, 3.0), (0x7F800000, 0.0)]> : tensor<3xcomplex<f32>>

  %z1 = stablehlo.constant dense<[(0.1, -0.2)]> : tensor<1xcomplex<f64>>
  %r1 = chlo.conj %z1 : tensor<1xcomplex<f64>> -> tensor<1xcomplex<f64>>
  check.expect_eq_const %r1, dense<[(0.1, 0.2)]> : tensor<1xcomplex<f64>>
  func.return
}
