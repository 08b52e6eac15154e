// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, 3.5, -1.5, 100.0, 0x7FC00000]> : tensor<5xf32>
  %r0 = chlo.digamma %x0 : tensor<5xf32> -> tensor<5xf32>
  %expected0 = stablehlo.constant dense<[-1.96351, 1.1031567, 0.70315665, 4.600162, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %r0, %expected0 : tensor<5xf32>, tensor<5xf32>

  %x1 = stablehlo.constant dense<[0x7F800000]> : tensor<1xf32>
  %r1 = chlo.digamma %x1 : tensor<1xf32> -> tensor<1xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000]> : tensor<1xf32>
  check.expect_close %r1, %expected1 : tensor<1xf32>, tensor<1xf32>

  %x2 = stablehlo.constant dense<[0.5, 3.5, -1.5, 100.0]> : tensor<4xf64>
  %r2 = chlo.digamma %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[-1.9635100260214235, 1.103156640645243,
                                         0.7031566406452432, 4.600161852738087]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 10 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, 3.5, -1.5]> : tensor<3xf16>
  %r3 = chlo.digamma %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[-1.964, 1.104, 0.703]> : tensor<3xf16>
  check.expect_close %r3, %expected3 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, 3.5, -1.5]> : tensor<3xbf16>
  %r4 = chlo.digamma %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[-1.9609, 1.1016, 0.70312]> : tensor<3xbf16>
  check.expect_close %r4, %expected4 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %r5 = chlo.digamma %x5 : tensor<1xf32> -> tensor<1xf32>
  %expected5 = stablehlo.constant dense<[-0.5772157]> : tensor<1xf32>
  check.expect_close %r5, %expected5, max_ulp_difference = 6 : tensor<1xf32>, tensor<1xf32>
  func.return
}
