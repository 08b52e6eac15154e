// RUN: halo-run --backend=interpreter %s

// Values: numpy.einsum.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r0 = stablehlo.unary_einsum %x0, config = "ab->a" : (tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %r0, dense<[3.0, 7.0]> : tensor<2xf32>

  %x1 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %r1 = stablehlo.unary_einsum %x1, config = "ab->ba" : (tensor<1x3xi32>) -> tensor<3x1xi32>
  check.expect_eq_const %r1, dense<[[1], [2], [3]]> : tensor<3x1xi32>

  %x2 = stablehlo.constant dense<[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]> : tensor<2x2x2xi64>
  %r2 = stablehlo.unary_einsum %x2, config = "abc->b" : (tensor<2x2x2xi64>) -> tensor<2xi64>
  check.expect_eq_const %r2, dense<[10, 18]> : tensor<2xi64>

  %x3 = stablehlo.constant dense<[[1.5, 2.0]]> : tensor<1x2xf64>
  %r3 = stablehlo.unary_einsum %x3, config = "ab->" : (tensor<1x2xf64>) -> tensor<f64>
  check.expect_eq_const %r3, dense<3.5> : tensor<f64>

  %x4 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r4 = stablehlo.unary_einsum %x4, config = "a->a"
      : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r4, dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
