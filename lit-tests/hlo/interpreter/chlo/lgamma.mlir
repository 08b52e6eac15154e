// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, 3.5, 100.0, 1.0e-5, 0x7FC00000]> : tensor<5xf32>
  %r0 = chlo.lgamma %x0 : tensor<5xf32> -> tensor<5xf32>
  %expected0 = stablehlo.constant dense<[0.5723649, 1.2009736, 359.13422, 11.512919, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %r0, %expected0 : tensor<5xf32>, tensor<5xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.lgamma %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<0x7F800000> : tensor<4xf32>
  check.expect_close %r1, %expected1 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, 3.5, -1.5, 100.0]> : tensor<4xf64>
  %r2 = chlo.lgamma %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.5723649429247001, 1.2009736023470743,
                                         0.860047015376481, 359.1342053695754]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 4 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r3 = chlo.lgamma %x3 : tensor<2xf32> -> tensor<2xf32>
  %expected3 = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
  check.expect_close %r3, %expected3 : tensor<2xf32>, tensor<2xf32>

  %x4 = stablehlo.constant dense<[0.5, 3.5, -1.5]> : tensor<3xf16>
  %r4 = chlo.lgamma %x4 : tensor<3xf16> -> tensor<3xf16>
  %expected4 = stablehlo.constant dense<[0.5723, 1.201, 0.86]> : tensor<3xf16>
  check.expect_close %r4, %expected4 : tensor<3xf16>, tensor<3xf16>

  %x5 = stablehlo.constant dense<[0.5, 3.5, -1.5]> : tensor<3xbf16>
  %r5 = chlo.lgamma %x5 : tensor<3xbf16> -> tensor<3xbf16>
  %expected5 = stablehlo.constant dense<[0.57422, 1.2031, 0.85938]> : tensor<3xbf16>
  check.expect_close %r5, %expected5 : tensor<3xbf16>, tensor<3xbf16>

  %x6 = stablehlo.constant dense<[-1.5]> : tensor<1xf32>
  %r6 = chlo.lgamma %x6 : tensor<1xf32> -> tensor<1xf32>
  %expected6 = stablehlo.constant dense<[0.86004704]> : tensor<1xf32>
  check.expect_close %r6, %expected6, max_ulp_difference = 8 : tensor<1xf32>, tensor<1xf32>
  func.return
}
