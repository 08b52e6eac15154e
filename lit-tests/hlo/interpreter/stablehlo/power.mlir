// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: mpmath.power for finite positive bases, numpy.power for the rest; integers wrap around.

func.func @main() {
  %a0 = stablehlo.constant dense<[3, -2, 2, -1, 5]> : tensor<5xi8>
  %b0 = stablehlo.constant dense<[4, 7, 8, -3, -2]> : tensor<5xi8>
  %r0 = stablehlo.power %a0, %b0 : tensor<5xi8>
  check.expect_eq_const %r0, dense<[81, -128, 0, -1, 0]> : tensor<5xi8>

  %a1 = stablehlo.constant dense<[3, 2, 7]> : tensor<3xui8>
  %b1 = stablehlo.constant dense<[5, 8, 0]> : tensor<3xui8>
  %r1 = stablehlo.power %a1, %b1 : tensor<3xui8>
  check.expect_eq_const %r1, dense<[243, 0, 1]> : tensor<3xui8>

  %a2 = stablehlo.constant dense<[7, -3, 2, 1, 0]> : tensor<5xi32>
  %b2 = stablehlo.constant dense<[3, 5, 31, -9, 0]> : tensor<5xi32>
  %r2 = stablehlo.power %a2, %b2 : tensor<5xi32>
  check.expect_eq_const %r2, dense<[343, -243, -2147483648, 1, 1]> : tensor<5xi32>

  %a3 = stablehlo.constant dense<[3, -10]> : tensor<2xi64>
  %b3 = stablehlo.constant dense<[39, 3]> : tensor<2xi64>
  %r3 = stablehlo.power %a3, %b3 : tensor<2xi64>
  check.expect_eq_const %r3, dense<[4052555153018976267, -1000]> : tensor<2xi64>

  %a4 = stablehlo.constant dense<[3]> : tensor<1xui64>
  %b4 = stablehlo.constant dense<[40]> : tensor<1xui64>
  %r4 = stablehlo.power %a4, %b4 : tensor<1xui64>
  check.expect_eq_const %r4, dense<[12157665459056928801]> : tensor<1xui64>

  %a5 = stablehlo.constant dense<[2.0, 10.0, 0.5, -2.0, -8.0]> : tensor<5xf32>
  %b5 = stablehlo.constant dense<[0.5, -3.0, 20.0, 3.0, 0.5]> : tensor<5xf32>
  %r5 = stablehlo.power %a5, %b5 : tensor<5xf32>
  %expected5 = stablehlo.constant dense<[1.4142135, 0.001, 9.536743e-7, -8.0, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %r5, %expected5 : tensor<5xf32>, tensor<5xf32>

  %a6 = stablehlo.constant dense<[0.0, -0.0, 0x7F800000, 1.0, 0x7FC00000, 2.0]> : tensor<6xf32>
  %b6 = stablehlo.constant dense<[-1.0, 3.0, -1.0, 0x7FC00000, 0.0, 0x7F800000]> : tensor<6xf32>
  %r6 = stablehlo.power %a6, %b6 : tensor<6xf32>
  %expected6 = stablehlo.constant dense<[0x7F800000, -0.0, 0.0, 1.0, 1.0, 0x7F800000]> : tensor<6xf32>
  check.expect_close %r6, %expected6 : tensor<6xf32>, tensor<6xf32>
  %bits6 = stablehlo.bitcast_convert %r6 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %bits6, dense<[2139095040, 2147483648, 0, 1065353216, 1065353216,
                                       2139095040]> : tensor<6xui32>

  %a7 = stablehlo.constant dense<[1.0000000000000002, 2.5]> : tensor<2xf64>
  %b7 = stablehlo.constant dense<[1000000000000000.0, 3.25]> : tensor<2xf64>
  %r7 = stablehlo.power %a7, %b7 : tensor<2xf64>
  %expected7 = stablehlo.constant dense<[1.2486270715390861, 19.647397338795866]> : tensor<2xf64>
  check.expect_close %r7, %expected7 : tensor<2xf64>, tensor<2xf64>

  %a8 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf16>
  %b8 = stablehlo.constant dense<[0.5, 4.0]> : tensor<2xf16>
  %r8 = stablehlo.power %a8, %b8 : tensor<2xf16>
  %expected8 = stablehlo.constant dense<[1.414, 81.0]> : tensor<2xf16>
  check.expect_close %r8, %expected8 : tensor<2xf16>, tensor<2xf16>

  %a9 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xbf16>
  %b9 = stablehlo.constant dense<[0.5, 4.0]> : tensor<2xbf16>
  %r9 = stablehlo.power %a9, %b9 : tensor<2xbf16>
  %expected9 = stablehlo.constant dense<[1.4141, 81.0]> : tensor<2xbf16>
  check.expect_close %r9, %expected9 : tensor<2xbf16>, tensor<2xbf16>

  %a10 = stablehlo.constant dense<[(1.0, 2.0), (2.0, -1.0)]> : tensor<2xcomplex<f32>>
  %b10 = stablehlo.constant dense<[(2.0, 0.0), (0.5, 1.0)]> : tensor<2xcomplex<f32>>
  %r10 = stablehlo.power %a10, %b10 : tensor<2xcomplex<f32>>
  %expected10 = stablehlo.constant dense<[(-3.0, 4.0), (1.997812, 1.2887101)]> : tensor<2xcomplex<f32>>
  check.expect_close %r10, %expected10 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>

  %a11 = stablehlo.constant dense<[(0.5, 0.5)]> : tensor<1xcomplex<f64>>
  %b11 = stablehlo.constant dense<[(1.5, -1.0)]> : tensor<1xcomplex<f64>>
  %r11 = stablehlo.power %a11, %b11 : tensor<1xcomplex<f64>>
  %expected11 = stablehlo.constant dense<[(0.06013240709123578, 1.3027450564212344)]> : tensor<1xcomplex<f64>>
  check.expect_close %r11, %expected11 : tensor<1xcomplex<f64>>, tensor<1xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf8E4M3FN>
  %b0 = stablehlo.constant dense<[3.0, 2.0]> : tensor<2xf8E4M3FN>
  %r0 = stablehlo.power %a0, %b0 : tensor<2xf8E4M3FN>
  %expected0 = stablehlo.constant dense<[8.0, 9.0]> : tensor<2xf8E4M3FN>
  check.expect_close %r0, %expected0 : tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>

  %a1 = stablehlo.constant dense<[4.0, 0.5]> : tensor<2xf8E5M2>
  %b1 = stablehlo.constant dense<[0.5, 3.0]> : tensor<2xf8E5M2>
  %r1 = stablehlo.power %a1, %b1 : tensor<2xf8E5M2>
  %expected1 = stablehlo.constant dense<[2.0, 0.125]> : tensor<2xf8E5M2>
  check.expect_close %r1, %expected1 : tensor<2xf8E5M2>, tensor<2xf8E5M2>
  func.return
}
