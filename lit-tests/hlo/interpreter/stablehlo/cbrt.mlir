// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e30, 0x7FC00000]> : tensor<6xf32>
  %r0 = stablehlo.cbrt %x0 : tensor<6xf32>
  %expected0 = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.2599211, -1.0e10, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = stablehlo.cbrt %x1 : tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits1, dense<[2139095040, 4286578688, 0, 2147483648]> : tensor<4xui32>

  %x2 = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0]> : tensor<4xf64>
  %r2 = stablehlo.cbrt %x2 : tensor<4xf64>
  %expected2 = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.2599210498948732]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[8.0, -27.0, 0.001]> : tensor<3xf16>
  %r3 = stablehlo.cbrt %x3 : tensor<3xf16>
  %expected3 = stablehlo.constant dense<[2.0, -3.0, 0.10004]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 1 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.00099945, 2.0, -1.0003e30]> : tensor<3xbf16>
  %r4 = stablehlo.cbrt %x4 : tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.1001, 1.2578, -9.9992e9]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r5 = stablehlo.cbrt %x5 : tensor<2x0xf32>
  check.expect_eq_const %r5, dense<> : tensor<2x0xf32>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E4M3FN>
  %r0 = stablehlo.cbrt %x0 : tensor<3xf8E4M3FN>
  %expected0 = stablehlo.constant dense<[0.8125, 1.0, 1.25]> : tensor<3xf8E4M3FN>
  check.expect_close %r0, %expected0, max_ulp_difference = 1
      : tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>

  %x1 = stablehlo.constant dense<[0.25, 1.5, 3.0]> : tensor<3xf8E5M2>
  %r1 = stablehlo.cbrt %x1 : tensor<3xf8E5M2>
  %expected1 = stablehlo.constant dense<[0.625, 1.25, 1.5]> : tensor<3xf8E5M2>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<3xf8E5M2>, tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-124, -112, -100, -77]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>
  %y = stablehlo.cbrt %q
      : (tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>
  %r = stablehlo.bitcast_convert %y : (tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-54, -48, -45, -40]> : tensor<4xi8>
  func.return
}
