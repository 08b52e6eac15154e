// RUN: halo-run --backend=interpreter %s

// Values: mpmath.zeta, the Hurwitz function, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %b0 = stablehlo.constant dense<[1.0, 0.5, 4.0]> : tensor<3xf32>
  %r0 = chlo.broadcast_zeta %a0, %b0 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %expected0 = stablehlo.constant dense<[[1.644934, 4.934802, 0.28382295],
                                         [1.2020569, 8.414398, 0.040019866]]> : tensor<2x3xf32>
  check.expect_close %r0, %expected0 : tensor<2x3xf32>, tensor<2x3xf32>

  %a1 = stablehlo.constant dense<2.0> : tensor<f64>
  %b1 = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf64>
  %r1 = chlo.broadcast_zeta %a1, %b1 : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  %expected1 = stablehlo.constant dense<[0.9348022005446793, 0.6449340668482264]> : tensor<2xf64>
  check.expect_close %r1, %expected1 : tensor<2xf64>, tensor<2xf64>

  %a2 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf16>
  %b2 = stablehlo.constant dense<[[1.0]]> : tensor<1x1xf16>
  %r2 = chlo.broadcast_zeta %a2, %b2 : (tensor<2xf16>, tensor<1x1xf16>) -> tensor<1x2xf16>
  %expected2 = stablehlo.constant dense<[[1.645, 1.082]]> : tensor<1x2xf16>
  check.expect_close %r2, %expected2 : tensor<1x2xf16>, tensor<1x2xf16>

  %a3 = stablehlo.constant dense<[[2.0], [4.0]]> : tensor<2x1xbf16>
  %b3 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %r3 = chlo.broadcast_zeta %a3, %b3 : (tensor<2x1xbf16>, tensor<2xbf16>) -> tensor<2x2xbf16>
  %expected3 = stablehlo.constant dense<[[1.6484, 0.64453], [1.0859, 0.08252]]> : tensor<2x2xbf16>
  check.expect_close %r3, %expected3 : tensor<2x2xbf16>, tensor<2x2xbf16>
  func.return
}
