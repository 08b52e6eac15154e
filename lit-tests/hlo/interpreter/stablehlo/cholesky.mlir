// RUN: halo-run --backend=interpreter %s

// Values: numpy.linalg.cholesky; the first is the example of the specification. What the other triangle holds is not defined, and is cut off.

func.func @main() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %zero0 = stablehlo.constant dense<0.0> : tensor<3x3xf32>
  %c0 = stablehlo.cholesky %a0, lower = true : tensor<3x3xf32>
  %i0 = stablehlo.iota dim = 0 : tensor<3x3xi32>
  %j0 = stablehlo.iota dim = 1 : tensor<3x3xi32>
  %half0 = stablehlo.compare GE, %i0, %j0 : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
  %r0 = stablehlo.select %half0, %c0, %zero0 : tensor<3x3xi1>, tensor<3x3xf32>
  %expected0 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<3x3xf32>, tensor<3x3xf32>

  %a1 = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf64>
  %zero1 = stablehlo.constant dense<0.0> : tensor<2x2xf64>
  %c1 = stablehlo.cholesky %a1, lower = false : tensor<2x2xf64>
  %i1 = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %j1 = stablehlo.iota dim = 1 : tensor<2x2xi32>
  %half1 = stablehlo.compare LE, %i1, %j1 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
  %r1 = stablehlo.select %half1, %c1, %zero1 : tensor<2x2xi1>, tensor<2x2xf64>
  %expected1 = stablehlo.constant dense<[[2.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf64>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<2x2xf64>, tensor<2x2xf64>

  %a2 = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 10.0]], [[9.0, 3.0], [3.0, 2.0]]]> : tensor<2x2x2xf32>
  %zero2 = stablehlo.constant dense<0.0> : tensor<2x2x2xf32>
  %c2 = stablehlo.cholesky %a2, lower = true : tensor<2x2x2xf32>
  %i2 = stablehlo.iota dim = 1 : tensor<2x2x2xi32>
  %j2 = stablehlo.iota dim = 2 : tensor<2x2x2xi32>
  %half2 = stablehlo.compare GE, %i2, %j2
      : (tensor<2x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x2x2xi1>
  %r2 = stablehlo.select %half2, %c2, %zero2 : tensor<2x2x2xi1>, tensor<2x2x2xf32>
  %expected2 = stablehlo.constant dense<[[[2.0, 0.0], [1.0, 3.0]], [[3.0, 0.0], [1.0, 1.0]]]> : tensor<2x2x2xf32>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<2x2x2xf32>, tensor<2x2x2xf32>

  %a3 = stablehlo.constant dense<[[(2.0, 0.0), (0.0, 1.0)], [(-0.0, -1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %zero3 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2x2xcomplex<f64>>
  %c3 = stablehlo.cholesky %a3, lower = true : tensor<2x2xcomplex<f64>>
  %i3 = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %j3 = stablehlo.iota dim = 1 : tensor<2x2xi32>
  %half3 = stablehlo.compare GE, %i3, %j3 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
  %r3 = stablehlo.select %half3, %c3, %zero3 : tensor<2x2xi1>, tensor<2x2xcomplex<f64>>
  %expected3 = stablehlo.constant dense<[[(1.4142135623730951, 0.0), (0.0, 0.0)],
                                         [(-0.0, -0.7071067811865475), (1.224744871391589, 0.0)]]> : tensor<2x2xcomplex<f64>>
  check.expect_close %r3, %expected3, max_ulp_difference = 2
      : tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>

  %a4 = stablehlo.constant dense<[[3.0]]> : tensor<1x1xf16>
  %zero4 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf16>
  %c4 = stablehlo.cholesky %a4, lower = true : tensor<1x1xf16>
  %i4 = stablehlo.iota dim = 0 : tensor<1x1xi32>
  %j4 = stablehlo.iota dim = 1 : tensor<1x1xi32>
  %half4 = stablehlo.compare GE, %i4, %j4 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
  %r4 = stablehlo.select %half4, %c4, %zero4 : tensor<1x1xi1>, tensor<1x1xf16>
  %expected4 = stablehlo.constant dense<[[1.732]]> : tensor<1x1xf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<1x1xf16>, tensor<1x1xf16>

  %a5 = stablehlo.constant dense<[[2.0, 0.5], [0.5, 1.0]]> : tensor<2x2xf32>
  %zero5 = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %c5 = stablehlo.cholesky %a5, lower = false : tensor<2x2xf32>
  %i5 = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %j5 = stablehlo.iota dim = 1 : tensor<2x2xi32>
  %half5 = stablehlo.compare LE, %i5, %j5 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
  %r5 = stablehlo.select %half5, %c5, %zero5 : tensor<2x2xi1>, tensor<2x2xf32>
  %expected5 = stablehlo.constant dense<[[1.4142135, 0.35355338], [0.0, 0.9354144]]> : tensor<2x2xf32>
  check.expect_close %r5, %expected5, max_ulp_difference = 2 : tensor<2x2xf32>, tensor<2x2xf32>
  func.return
}
