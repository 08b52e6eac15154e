// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.subtract; integers wrap around.

func.func @main() {
  %a0 = stablehlo.constant dense<[127, -128, 5, -7]> : tensor<4xi8>
  %b0 = stablehlo.constant dense<[1, -1, -3, 3]> : tensor<4xi8>
  %r0 = stablehlo.subtract %a0, %b0 : tensor<4xi8>
  check.expect_eq_const %r0, dense<[126, -127, 8, -10]> : tensor<4xi8>

  %a1 = stablehlo.constant dense<[255, 0, 200, 7]> : tensor<4xui8>
  %b1 = stablehlo.constant dense<[1, 1, 100, 3]> : tensor<4xui8>
  %r1 = stablehlo.subtract %a1, %b1 : tensor<4xui8>
  check.expect_eq_const %r1, dense<[254, 255, 100, 4]> : tensor<4xui8>

  %a2 = stablehlo.constant dense<[2147483647, -2147483648, 12, -7]> : tensor<4xi32>
  %b2 = stablehlo.constant dense<[1, -1, -5, 2]> : tensor<4xi32>
  %r2 = stablehlo.subtract %a2, %b2 : tensor<4xi32>
  check.expect_eq_const %r2, dense<[2147483646, -2147483647, 17, -9]> : tensor<4xi32>

  %a3 = stablehlo.constant dense<[4294967295, 0, 6]> : tensor<3xui32>
  %b3 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xui32>
  %r3 = stablehlo.subtract %a3, %b3 : tensor<3xui32>
  check.expect_eq_const %r3, dense<[4294967294, 4294967295, 2]> : tensor<3xui32>

  %a4 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 100]> : tensor<3xi64>
  %b4 = stablehlo.constant dense<[1, -1, 7]> : tensor<3xi64>
  %r4 = stablehlo.subtract %a4, %b4 : tensor<3xi64>
  check.expect_eq_const %r4, dense<[9223372036854775806, -9223372036854775807, 93]> : tensor<3xi64>

  %a5 = stablehlo.constant dense<[0, 0, 9]> : tensor<3xui64>
  %b5 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xui64>
  %r5 = stablehlo.subtract %a5, %b5 : tensor<3xui64>
  check.expect_eq_const %r5, dense<[18446744073709551615, 18446744073709551615, 5]> : tensor<3xui64>

  %a6 = stablehlo.constant dense<[1.5, 0x7F800000, 2.0, 3.0e38, 0x7FC00000, 1.6777216e7]> : tensor<6xf32>
  %b6 = stablehlo.constant dense<[2.25, 0xFF800000, 0.5, 3.0e38, 1.0, 1.0]> : tensor<6xf32>
  %r6 = stablehlo.subtract %a6, %b6 : tensor<6xf32>
  check.expect_eq_const %r6, dense<[-0.75, 0x7F800000, 1.5, 0.0, 0x7FC00000, 1.6777215e7]> : tensor<6xf32>

  %a7 = stablehlo.constant dense<[-0.0, -0.0, 0.0]> : tensor<3xf32>
  %b7 = stablehlo.constant dense<[0.0, -0.0, -0.0]> : tensor<3xf32>
  %r7 = stablehlo.subtract %a7, %b7 : tensor<3xf32>
  check.expect_eq_const %r7, dense<[-0.0, 0.0, 0.0]> : tensor<3xf32>
  %bits7 = stablehlo.bitcast_convert %r7 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits7, dense<[2147483648, 0, 0]> : tensor<3xui32>

  %a8 = stablehlo.constant dense<[0.1, 1.0e308, 5.0e-324]> : tensor<3xf64>
  %b8 = stablehlo.constant dense<[0.2, 1.0e308, -5.0e-324]> : tensor<3xf64>
  %r8 = stablehlo.subtract %a8, %b8 : tensor<3xf64>
  check.expect_eq_const %r8, dense<[-0.1, 0.0, 1.0e-323]> : tensor<3xf64>

  %a9 = stablehlo.constant dense<[6.0e4, 0.5, 1.0]> : tensor<3xf16>
  %b9 = stablehlo.constant dense<[6.0e4, 0.25, 0.0004883]> : tensor<3xf16>
  %r9 = stablehlo.subtract %a9, %b9 : tensor<3xf16>
  check.expect_eq_const %r9, dense<[0.0, 0.25, 0.9995]> : tensor<3xf16>

  %a10 = stablehlo.constant dense<[1.0, 256.0, -2.5]> : tensor<3xbf16>
  %b10 = stablehlo.constant dense<[0.0039062, 1.0, 0.5]> : tensor<3xbf16>
  %r10 = stablehlo.subtract %a10, %b10 : tensor<3xbf16>
  check.expect_eq_const %r10, dense<[0.99609, 255.0, -3.0]> : tensor<3xbf16>

  %a11 = stablehlo.constant dense<[(1.0, 2.0), (-0.0, -3.0)]> : tensor<2xcomplex<f32>>
  %b11 = stablehlo.constant dense<[(0.5, -1.0), (2.0, 4.0)]> : tensor<2xcomplex<f32>>
  %r11 = stablehlo.subtract %a11, %b11 : tensor<2xcomplex<f32>>
  check.expect_eq_const %r11, dense<[(0.5, 3.0), (-2.0, -7.0)]> : tensor<2xcomplex<f32>>

  %a12 = stablehlo.constant dense<[(0.001, 2.0)]> : tensor<1xcomplex<f64>>
  %b12 = stablehlo.constant dense<[(1.0, -1.0)]> : tensor<1xcomplex<f64>>
  %r12 = stablehlo.subtract %a12, %b12 : tensor<1xcomplex<f64>>
  check.expect_eq_const %r12, dense<[(-0.999, 3.0)]> : tensor<1xcomplex<f64>>

  %a13 = stablehlo.constant dense<> : tensor<0x3xf32>
  %b13 = stablehlo.constant dense<> : tensor<0x3xf32>
  %r13 = stablehlo.subtract %a13, %b13 : tensor<0x3xf32>
  check.expect_eq_const %r13, dense<> : tensor<0x3xf32>
  func.return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[7, -8, 3]> : tensor<3xi4>
  %b0 = stablehlo.constant dense<[1, -1, 2]> : tensor<3xi4>
  %r0 = stablehlo.subtract %a0, %b0 : tensor<3xi4>
  check.expect_eq_const %r0, dense<[6, -7, 1]> : tensor<3xi4>

  %a1 = stablehlo.constant dense<[15, 0, 9]> : tensor<3xui4>
  %b1 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xui4>
  %r1 = stablehlo.subtract %a1, %b1 : tensor<3xui4>
  check.expect_eq_const %r1, dense<[14, 15, 5]> : tensor<3xui4>

  %a2 = stablehlo.constant dense<[1.5, 448.0, 0.25]> : tensor<3xf8E4M3FN>
  %b2 = stablehlo.constant dense<[2.0, 32.0, 0.5]> : tensor<3xf8E4M3FN>
  %r2 = stablehlo.subtract %a2, %b2 : tensor<3xf8E4M3FN>
  check.expect_eq_const %r2, dense<[-0.5, 416.0, -0.25]> : tensor<3xf8E4M3FN>

  %a3 = stablehlo.constant dense<[1.5, 57344.0, -1.0]> : tensor<3xf8E5M2>
  %b3 = stablehlo.constant dense<[0.25, 57344.0, 4.0]> : tensor<3xf8E5M2>
  %r3 = stablehlo.subtract %a3, %b3 : tensor<3xf8E5M2>
  check.expect_eq_const %r3, dense<[1.25, 0.0, -5.0]> : tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %a = stablehlo.constant dense<[-10, 0, 30, 100]> : tensor<4xi8>
  %b = stablehlo.constant dense<[6, -2, 4, 50]> : tensor<4xi8>
  %p = stablehlo.bitcast_convert %a : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:0>>
  %q = stablehlo.bitcast_convert %b : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.25:-2>>
  %s = stablehlo.subtract %p, %q
      : (tensor<4x!quant.uniform<i8:f32, 0.5:0>>, tensor<4x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:5>>
  %r = stablehlo.bitcast_convert %s : (tensor<4x!quant.uniform<i8:f32, 0.5:5>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-9, 5, 32, 79]> : tensor<4xi8>
  func.return
}
