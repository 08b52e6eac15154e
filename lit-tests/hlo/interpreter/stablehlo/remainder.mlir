// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.fmod; the sign is that of the dividend, by zero an integer stays as it is.

func.func @main() {
  %a0 = stablehlo.constant dense<[-128, 7, -7, 5]> : tensor<4xi8>
  %b0 = stablehlo.constant dense<[-1, -2, 2, 0]> : tensor<4xi8>
  %r0 = stablehlo.remainder %a0, %b0 : tensor<4xi8>
  check.expect_eq_const %r0, dense<[0, 1, -1, 5]> : tensor<4xi8>

  %a1 = stablehlo.constant dense<[255, 200, 7, 9]> : tensor<4xui8>
  %b1 = stablehlo.constant dense<[2, 7, 8, 0]> : tensor<4xui8>
  %r1 = stablehlo.remainder %a1, %b1 : tensor<4xui8>
  check.expect_eq_const %r1, dense<[1, 4, 7, 9]> : tensor<4xui8>

  %a2 = stablehlo.constant dense<[-2147483648, 7, -7, 5]> : tensor<4xi32>
  %b2 = stablehlo.constant dense<[-1, -2, 2, 0]> : tensor<4xi32>
  %r2 = stablehlo.remainder %a2, %b2 : tensor<4xi32>
  check.expect_eq_const %r2, dense<[0, 1, -1, 5]> : tensor<4xi32>

  %a3 = stablehlo.constant dense<[4294967295, 10, 3]> : tensor<3xui32>
  %b3 = stablehlo.constant dense<[2, 3, 0]> : tensor<3xui32>
  %r3 = stablehlo.remainder %a3, %b3 : tensor<3xui32>
  check.expect_eq_const %r3, dense<[1, 1, 3]> : tensor<3xui32>

  %a4 = stablehlo.constant dense<[-9223372036854775808, 100, -100]> : tensor<3xi64>
  %b4 = stablehlo.constant dense<[-1, 7, 7]> : tensor<3xi64>
  %r4 = stablehlo.remainder %a4, %b4 : tensor<3xi64>
  check.expect_eq_const %r4, dense<[0, 2, -2]> : tensor<3xi64>

  %a5 = stablehlo.constant dense<[0, 9]> : tensor<2xui64>
  %b5 = stablehlo.constant dense<[10, 4]> : tensor<2xui64>
  %r5 = stablehlo.remainder %a5, %b5 : tensor<2xui64>
  check.expect_eq_const %r5, dense<[0, 1]> : tensor<2xui64>

  %a6 = stablehlo.constant dense<[1.0, -1.0, 0.0, 7.0, -7.5, 0x7F800000]> : tensor<6xf32>
  %b6 = stablehlo.constant dense<[0.0, 0.0, 0.0, 2.0, 2.0, 0x7F800000]> : tensor<6xf32>
  %r6 = stablehlo.remainder %a6, %b6 : tensor<6xf32>
  check.expect_eq_const %r6, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 1.0, -1.5, 0x7FC00000]> : tensor<6xf32>

  %a7 = stablehlo.constant dense<[5.5, -5.5, 1.0, 0x7FC00000]> : tensor<4xf32>
  %b7 = stablehlo.constant dense<[2.0, 2.0, 0x7F800000, 1.0]> : tensor<4xf32>
  %r7 = stablehlo.remainder %a7, %b7 : tensor<4xf32>
  check.expect_eq_const %r7, dense<[1.5, -1.5, 1.0, 0x7FC00000]> : tensor<4xf32>

  %a8 = stablehlo.constant dense<[-0.0, 6.0, -6.0]> : tensor<3xf32>
  %b8 = stablehlo.constant dense<[3.0, 2.0, 2.0]> : tensor<3xf32>
  %r8 = stablehlo.remainder %a8, %b8 : tensor<3xf32>
  check.expect_eq_const %r8, dense<[-0.0, 0.0, -0.0]> : tensor<3xf32>
  %bits8 = stablehlo.bitcast_convert %r8 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits8, dense<[2147483648, 0, 2147483648]> : tensor<3xui32>

  %a9 = stablehlo.constant dense<[1.0, 1.0e308, 10.0]> : tensor<3xf64>
  %b9 = stablehlo.constant dense<[3.0, 0.1, -3.0]> : tensor<3xf64>
  %r9 = stablehlo.remainder %a9, %b9 : tensor<3xf64>
  check.expect_eq_const %r9, dense<[1.0, 0.06093288384329992, 1.0]> : tensor<3xf64>

  %a10 = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xf16>
  %b10 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf16>
  %r10 = stablehlo.remainder %a10, %b10 : tensor<2xf16>
  check.expect_eq_const %r10, dense<[1.0, 2.0]> : tensor<2xf16>

  %a11 = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xbf16>
  %b11 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xbf16>
  %r11 = stablehlo.remainder %a11, %b11 : tensor<2xbf16>
  check.expect_eq_const %r11, dense<[1.0, 2.0]> : tensor<2xbf16>

  %a12 = stablehlo.constant dense<> : tensor<0x3xf32>
  %b12 = stablehlo.constant dense<> : tensor<0x3xf32>
  %r12 = stablehlo.remainder %a12, %b12 : tensor<0x3xf32>
  check.expect_eq_const %r12, dense<> : tensor<0x3xf32>
  func.return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[-8, 7, -7]> : tensor<3xi4>
  %b0 = stablehlo.constant dense<[-1, 2, 2]> : tensor<3xi4>
  %r0 = stablehlo.remainder %a0, %b0 : tensor<3xi4>
  check.expect_eq_const %r0, dense<[0, 1, -1]> : tensor<3xi4>

  %a1 = stablehlo.constant dense<[5.0, -3.5]> : tensor<2xf8E4M3FN>
  %b1 = stablehlo.constant dense<[3.0, 2.0]> : tensor<2xf8E4M3FN>
  %r1 = stablehlo.remainder %a1, %b1 : tensor<2xf8E4M3FN>
  check.expect_eq_const %r1, dense<[2.0, -1.5]> : tensor<2xf8E4M3FN>
  func.return
}
