// RUN: halo-run --backend=interpreter %s

// Values: mpmath.polygamma.

func.func @main() {
  %a0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %b0 = stablehlo.constant dense<[3.5, 0.5, 4.0]> : tensor<3xf32>
  %r0 = chlo.polygamma %a0, %b0 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %expected0 = stablehlo.constant dense<[1.1031567, 4.934802, -0.08003973]> : tensor<3xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 12 : tensor<3xf32>, tensor<3xf32>

  %a1 = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %b1 = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf64>
  %r1 = chlo.polygamma %a1, %b1 : tensor<2xf64>, tensor<2xf64> -> tensor<2xf64>
  %expected1 = stablehlo.constant dense<[0.9348022005446793, 0.49393940226682914]> : tensor<2xf64>
  check.expect_close %r1, %expected1, max_ulp_difference = 12 : tensor<2xf64>, tensor<2xf64>

  %a2 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %b2 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %r2 = chlo.polygamma %a2, %b2 : tensor<2xf16>, tensor<2xf16> -> tensor<2xf16>
  %expected2 = stablehlo.constant dense<[1.645, -0.404]> : tensor<2xf16>
  check.expect_close %r2, %expected2, max_ulp_difference = 12 : tensor<2xf16>, tensor<2xf16>

  %a3 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %b3 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %r3 = chlo.polygamma %a3, %b3 : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
  %expected3 = stablehlo.constant dense<[1.6484, -0.4043]> : tensor<2xbf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 12 : tensor<2xbf16>, tensor<2xbf16>
  func.return
}
