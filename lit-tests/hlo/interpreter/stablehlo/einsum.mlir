// RUN: halo-run --backend=interpreter %s

// Values: numpy.einsum.

func.func @main() {
  %a0 = stablehlo.constant dense<[[-3.0, 0.0, 4.0], [0.0, 3.0, 4.0]]> : tensor<2x3xf32>
  %b0 = stablehlo.constant dense<[[3.0, 1.0], [-1.0, 0.0], [-2.0, 0.0]]> : tensor<3x2xf32>
  %r0 = stablehlo.einsum %a0, %b0, config = "ab,bc->ac"
      : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r0, dense<[[-17.0, -3.0], [-11.0, 0.0]]> : tensor<2x2xf32>

  %a1 = stablehlo.constant dense<[[[-1, -2]], [[4, -4]]]> : tensor<2x1x2xi32>
  %b1 = stablehlo.constant dense<[[[-4, -3], [4, 2]], [[3, -3], [2, -1]]]> : tensor<2x2x2xi32>
  %r1 = stablehlo.einsum %a1, %b1, config = "abc,acd->abd"
      : (tensor<2x1x2xi32>, tensor<2x2x2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %r1, dense<[[[-4, -1]], [[4, -8]]]> : tensor<2x1x2xi32>

  %a2 = stablehlo.constant dense<[[0.0, -4.0], [1.0, 3.0]]> : tensor<2x2xf64>
  %b2 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf64>
  %r2 = stablehlo.einsum %a2, %b2, config = "ab,b->a"
      : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2xf64>
  check.expect_eq_const %r2, dense<[4.0, -2.0]> : tensor<2xf64>

  %a3 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %b3 = stablehlo.constant dense<[3, 4, 5]> : tensor<3xi64>
  %r3 = stablehlo.einsum %a3, %b3, config = "a,b->ab"
      : (tensor<2xi64>, tensor<3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %r3, dense<[[3, 4, 5], [6, 8, 10]]> : tensor<2x3xi64>

  %a4 = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b4 = stablehlo.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %r4 = stablehlo.einsum %a4, %b4, config = "ab,ab->"
      : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<f32>
  check.expect_eq_const %r4, dense<11.0> : tensor<f32>

  %a5 = stablehlo.constant dense<[[1.0, -3.0], [0.0, -2.0]]> : tensor<2x2xf32>
  %b5 = stablehlo.constant dense<[[4.0, 3.0], [-3.0, 0.0], [4.0, 3.0]]> : tensor<3x2xf32>
  %r5 = stablehlo.einsum %a5, %b5, config = "ab,cb->ca"
      : (tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %r5, dense<[[-5.0, -6.0], [-3.0, 0.0], [-5.0, -6.0]]> : tensor<3x2xf32>

  %a6 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %b6 = stablehlo.constant dense<[(0.0, 1.0), (3.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r6 = stablehlo.einsum %a6, %b6, config = "a,a->a"
      : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r6, dense<[(-1.0, 0.0), (6.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
