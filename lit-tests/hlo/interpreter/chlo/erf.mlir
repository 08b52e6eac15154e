// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 2.5, 1.0e-10, -4.0, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.erf %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.5204999, -0.8427008, 0.999593, 1.1283792e-10, -1.0,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.erf %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[1.0, -1.0, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits1, dense<[1065353216, 3212836864, 0, 2147483648]> : tensor<4xui32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 2.5, 1.0e-10]> : tensor<4xf64>
  %r2 = chlo.erf %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.5204998778130465, -0.8427007929497149,
                                         0.999593047982555, 1.1283791670955126e-10]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 2.5]> : tensor<3xf16>
  %r3 = chlo.erf %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.5205, -0.843, 0.9995]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 2.5]> : tensor<3xbf16>
  %r4 = chlo.erf %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.51953, -0.84375, 1.0]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>
  func.return
}
