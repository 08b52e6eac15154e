// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 2.5, 9.0, -4.0, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.erfc %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.47950011, 1.8427008, 0.00040695202, 4.1370317e-37,
                                         2.0, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.erfc %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0.0, 2.0, 1.0, 1.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1 : tensor<4xf32>, tensor<4xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits1, dense<[0, 1073741824, 1065353216, 1065353216]> : tensor<4xui32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 2.5, 9.0]> : tensor<4xf64>
  %r2 = chlo.erfc %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.4795001221869535, 1.8427007929497148,
                                         0.0004069520174449589, 4.13703174651381e-37]> : tensor<4xf64>
  check.expect_close %r2, %expected2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 2.5]> : tensor<3xf16>
  %r3 = chlo.erfc %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.4795, 1.843, 0.000407]> : tensor<3xf16>
  check.expect_close %r3, %expected3 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 2.5]> : tensor<3xbf16>
  %r4 = chlo.erfc %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.48047, 1.8438, 0.00040627]> : tensor<3xbf16>
  check.expect_close %r4, %expected4 : tensor<3xbf16>, tensor<3xbf16>
  func.return
}
