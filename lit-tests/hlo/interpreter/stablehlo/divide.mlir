// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.divide; of integers toward zero, by zero all bits one.

func.func @main() {
  %a0 = stablehlo.constant dense<[-128, 7, -7, 5]> : tensor<4xi8>
  %b0 = stablehlo.constant dense<[-1, -2, 2, 0]> : tensor<4xi8>
  %r0 = stablehlo.divide %a0, %b0 : tensor<4xi8>
  check.expect_eq_const %r0, dense<[-128, -3, -3, -1]> : tensor<4xi8>

  %a1 = stablehlo.constant dense<[255, 200, 7, 9]> : tensor<4xui8>
  %b1 = stablehlo.constant dense<[2, 7, 8, 0]> : tensor<4xui8>
  %r1 = stablehlo.divide %a1, %b1 : tensor<4xui8>
  check.expect_eq_const %r1, dense<[127, 28, 0, 255]> : tensor<4xui8>

  %a2 = stablehlo.constant dense<[-2147483648, 7, -7, 5]> : tensor<4xi32>
  %b2 = stablehlo.constant dense<[-1, -2, 2, 0]> : tensor<4xi32>
  %r2 = stablehlo.divide %a2, %b2 : tensor<4xi32>
  check.expect_eq_const %r2, dense<[-2147483648, -3, -3, -1]> : tensor<4xi32>

  %a3 = stablehlo.constant dense<[4294967295, 10, 3]> : tensor<3xui32>
  %b3 = stablehlo.constant dense<[2, 3, 0]> : tensor<3xui32>
  %r3 = stablehlo.divide %a3, %b3 : tensor<3xui32>
  check.expect_eq_const %r3, dense<[2147483647, 3, 4294967295]> : tensor<3xui32>

  %a4 = stablehlo.constant dense<[-9223372036854775808, 100, -100]> : tensor<3xi64>
  %b4 = stablehlo.constant dense<[-1, 7, 7]> : tensor<3xi64>
  %r4 = stablehlo.divide %a4, %b4 : tensor<3xi64>
  check.expect_eq_const %r4, dense<[-9223372036854775808, 14, -14]> : tensor<3xi64>

  %a5 = stablehlo.constant dense<[0, 9]> : tensor<2xui64>
  %b5 = stablehlo.constant dense<[10, 4]> : tensor<2xui64>
  %r5 = stablehlo.divide %a5, %b5 : tensor<2xui64>
  check.expect_eq_const %r5, dense<[0, 2]> : tensor<2xui64>

  %a6 = stablehlo.constant dense<[1.0, -1.0, 0.0, 7.0, -7.5, 0x7F800000]> : tensor<6xf32>
  %b6 = stablehlo.constant dense<[0.0, 0.0, 0.0, 2.0, 2.0, 0x7F800000]> : tensor<6xf32>
  %r6 = stablehlo.divide %a6, %b6 : tensor<6xf32>
  %expected6 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 3.5, -3.75,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r6, %expected6, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>

  %a7 = stablehlo.constant dense<[5.5, -5.5, 1.0, 0x7FC00000]> : tensor<4xf32>
  %b7 = stablehlo.constant dense<[2.0, 2.0, 0x7F800000, 1.0]> : tensor<4xf32>
  %r7 = stablehlo.divide %a7, %b7 : tensor<4xf32>
  %expected7 = stablehlo.constant dense<[2.75, -2.75, 0.0, 0x7FC00000]> : tensor<4xf32>
  check.expect_close %r7, %expected7, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>

  %a8 = stablehlo.constant dense<[-0.0, 6.0, -6.0]> : tensor<3xf32>
  %b8 = stablehlo.constant dense<[3.0, 2.0, 2.0]> : tensor<3xf32>
  %r8 = stablehlo.divide %a8, %b8 : tensor<3xf32>
  %expected8 = stablehlo.constant dense<[-0.0, 3.0, -3.0]> : tensor<3xf32>
  check.expect_close %r8, %expected8, max_ulp_difference = 1 : tensor<3xf32>, tensor<3xf32>
  %bits8 = stablehlo.bitcast_convert %r8 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits8, dense<[2147483648, 1077936128, 3225419776]> : tensor<3xui32>

  %a9 = stablehlo.constant dense<[1.0, 1.0e308, 10.0]> : tensor<3xf64>
  %b9 = stablehlo.constant dense<[3.0, 0.1, -3.0]> : tensor<3xf64>
  %r9 = stablehlo.divide %a9, %b9 : tensor<3xf64>
  %expected9 = stablehlo.constant dense<[0.3333333333333333, 0x7FF0000000000000,
                                         -3.3333333333333335]> : tensor<3xf64>
  check.expect_close %r9, %expected9, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>

  %a10 = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xf16>
  %b10 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf16>
  %r10 = stablehlo.divide %a10, %b10 : tensor<2xf16>
  %expected10 = stablehlo.constant dense<[0.3333, 2.5]> : tensor<2xf16>
  check.expect_close %r10, %expected10, max_ulp_difference = 1 : tensor<2xf16>, tensor<2xf16>

  %a11 = stablehlo.constant dense<[1.0, 10.0]> : tensor<2xbf16>
  %b11 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xbf16>
  %r11 = stablehlo.divide %a11, %b11 : tensor<2xbf16>
  %expected11 = stablehlo.constant dense<[0.33398, 2.5]> : tensor<2xbf16>
  check.expect_close %r11, %expected11, max_ulp_difference = 1 : tensor<2xbf16>, tensor<2xbf16>

  %a12 = stablehlo.constant dense<[(1.0, 2.0), (4.0, -2.0)]> : tensor<2xcomplex<f32>>
  %b12 = stablehlo.constant dense<[(1.0, -1.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  %r12 = stablehlo.divide %a12, %b12 : tensor<2xcomplex<f32>>
  %expected12 = stablehlo.constant dense<[(-0.5, 1.5), (-1.0, -2.0)]> : tensor<2xcomplex<f32>>
  check.expect_close %r12, %expected12, max_ulp_difference = 1
      : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>

  %a13 = stablehlo.constant dense<[(3.0, 4.0)]> : tensor<1xcomplex<f64>>
  %b13 = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %r13 = stablehlo.divide %a13, %b13 : tensor<1xcomplex<f64>>
  %expected13 = stablehlo.constant dense<[(2.2, -0.4)]> : tensor<1xcomplex<f64>>
  check.expect_close %r13, %expected13, max_ulp_difference = 1
      : tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>

  %a14 = stablehlo.constant dense<> : tensor<0x3xf32>
  %b14 = stablehlo.constant dense<> : tensor<0x3xf32>
  %r14 = stablehlo.divide %a14, %b14 : tensor<0x3xf32>
  %expected14 = stablehlo.constant dense<> : tensor<0x3xf32>
  check.expect_close %r14, %expected14, max_ulp_difference = 1 : tensor<0x3xf32>, tensor<0x3xf32>
  func.return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[-8, 7, -7]> : tensor<3xi4>
  %b0 = stablehlo.constant dense<[-1, 2, 2]> : tensor<3xi4>
  %r0 = stablehlo.divide %a0, %b0 : tensor<3xi4>
  check.expect_eq_const %r0, dense<[-8, 3, -3]> : tensor<3xi4>

  %a1 = stablehlo.constant dense<[1.0, 3.0, 6.0]> : tensor<3xf8E4M3FN>
  %b1 = stablehlo.constant dense<[2.0, 4.0, 1.5]> : tensor<3xf8E4M3FN>
  %r1 = stablehlo.divide %a1, %b1 : tensor<3xf8E4M3FN>
  %expected1 = stablehlo.constant dense<[0.5, 0.75, 4.0]> : tensor<3xf8E4M3FN>
  check.expect_close %r1, %expected1, max_ulp_difference = 1
      : tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>

  %a2 = stablehlo.constant dense<[1.0, 7.0, 1.0]> : tensor<3xf8E5M2>
  %b2 = stablehlo.constant dense<[4.0, 2.0, 0.0]> : tensor<3xf8E5M2>
  %r2 = stablehlo.divide %a2, %b2 : tensor<3xf8E5M2>
  %expected2 = stablehlo.constant dense<[0.25, 3.5, 0x7C]> : tensor<3xf8E5M2>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<3xf8E5M2>, tensor<3xf8E5M2>
  func.return
}
