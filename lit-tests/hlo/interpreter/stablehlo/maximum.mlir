// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.maximum; complex numbers in lexicographic order, NaN wins, and -0 is less than 0.

func.func @main() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b0 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r0 = stablehlo.maximum %a0, %b0 : tensor<4xi1>
  check.expect_eq_const %r0, dense<[false, true, true, true]> : tensor<4xi1>

  %a1 = stablehlo.constant dense<[127, -128, 5, -7]> : tensor<4xi8>
  %b1 = stablehlo.constant dense<[1, -1, -3, 3]> : tensor<4xi8>
  %r1 = stablehlo.maximum %a1, %b1 : tensor<4xi8>
  check.expect_eq_const %r1, dense<[127, -1, 5, 3]> : tensor<4xi8>

  %a2 = stablehlo.constant dense<[255, 0, 200, 7]> : tensor<4xui8>
  %b2 = stablehlo.constant dense<[1, 1, 100, 3]> : tensor<4xui8>
  %r2 = stablehlo.maximum %a2, %b2 : tensor<4xui8>
  check.expect_eq_const %r2, dense<[255, 1, 200, 7]> : tensor<4xui8>

  %a3 = stablehlo.constant dense<[2147483647, -2147483648, 12, -7]> : tensor<4xi32>
  %b3 = stablehlo.constant dense<[1, -1, -5, 2]> : tensor<4xi32>
  %r3 = stablehlo.maximum %a3, %b3 : tensor<4xi32>
  check.expect_eq_const %r3, dense<[2147483647, -1, 12, 2]> : tensor<4xi32>

  %a4 = stablehlo.constant dense<[4294967295, 0, 6]> : tensor<3xui32>
  %b4 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xui32>
  %r4 = stablehlo.maximum %a4, %b4 : tensor<3xui32>
  check.expect_eq_const %r4, dense<[4294967295, 1, 6]> : tensor<3xui32>

  %a5 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 100]> : tensor<3xi64>
  %b5 = stablehlo.constant dense<[1, -1, 7]> : tensor<3xi64>
  %r5 = stablehlo.maximum %a5, %b5 : tensor<3xi64>
  check.expect_eq_const %r5, dense<[9223372036854775807, -1, 100]> : tensor<3xi64>

  %a6 = stablehlo.constant dense<[0, 0, 9]> : tensor<3xui64>
  %b6 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xui64>
  %r6 = stablehlo.maximum %a6, %b6 : tensor<3xui64>
  check.expect_eq_const %r6, dense<[1, 1, 9]> : tensor<3xui64>

  %a7 = stablehlo.constant dense<[1.0, 0xFF800000, -0.0, 0.0, -0.0]> : tensor<5xf32>
  %b7 = stablehlo.constant dense<[2.0, 3.0, 0.0, -0.0, -0.0]> : tensor<5xf32>
  %r7 = stablehlo.maximum %a7, %b7 : tensor<5xf32>
  check.expect_eq_const %r7, dense<[2.0, 3.0, 0.0, 0.0, -0.0]> : tensor<5xf32>
  %bits7 = stablehlo.bitcast_convert %r7 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %bits7, dense<[1073741824, 1077936128, 0, 0, 2147483648]> : tensor<5xui32>

  %a8 = stablehlo.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %b8 = stablehlo.constant dense<[0xFF800000, 0x7FC00000]> : tensor<2xf32>
  %r8 = stablehlo.maximum %a8, %b8 : tensor<2xf32>
  check.expect_eq_const %r8, dense<[0x7FC00000, 0x7FC00000]> : tensor<2xf32>

  %a9 = stablehlo.constant dense<[-1.0e300, 0x7FF8000000000000]> : tensor<2xf64>
  %b9 = stablehlo.constant dense<[1.0, 0xFFF0000000000000]> : tensor<2xf64>
  %r9 = stablehlo.maximum %a9, %b9 : tensor<2xf64>
  check.expect_eq_const %r9, dense<[1.0, 0x7FF8000000000000]> : tensor<2xf64>

  %a10 = stablehlo.constant dense<[0.5, -2.0]> : tensor<2xf16>
  %b10 = stablehlo.constant dense<[0.25, -1.0]> : tensor<2xf16>
  %r10 = stablehlo.maximum %a10, %b10 : tensor<2xf16>
  check.expect_eq_const %r10, dense<[0.5, -1.0]> : tensor<2xf16>

  %a11 = stablehlo.constant dense<[1.0, -3.0]> : tensor<2xbf16>
  %b11 = stablehlo.constant dense<[2.0, -4.0]> : tensor<2xbf16>
  %r11 = stablehlo.maximum %a11, %b11 : tensor<2xbf16>
  check.expect_eq_const %r11, dense<[2.0, -3.0]> : tensor<2xbf16>

  %a12 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0)]> : tensor<2xcomplex<f32>>
  %b12 = stablehlo.constant dense<[(1.0, -2.0), (2.0, -5.0)]> : tensor<2xcomplex<f32>>
  %r12 = stablehlo.maximum %a12, %b12 : tensor<2xcomplex<f32>>
  check.expect_eq_const %r12, dense<[(1.0, 2.0), (2.0, -5.0)]> : tensor<2xcomplex<f32>>

  %a13 = stablehlo.constant dense<[(-1.0, 9.0)]> : tensor<1xcomplex<f64>>
  %b13 = stablehlo.constant dense<[(-1.0, 8.0)]> : tensor<1xcomplex<f64>>
  %r13 = stablehlo.maximum %a13, %b13 : tensor<1xcomplex<f64>>
  check.expect_eq_const %r13, dense<[(-1.0, 9.0)]> : tensor<1xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[7, -8, 3]> : tensor<3xi4>
  %b0 = stablehlo.constant dense<[1, -1, 2]> : tensor<3xi4>
  %r0 = stablehlo.maximum %a0, %b0 : tensor<3xi4>
  check.expect_eq_const %r0, dense<[7, -1, 3]> : tensor<3xi4>

  %a1 = stablehlo.constant dense<[15, 0, 9]> : tensor<3xui4>
  %b1 = stablehlo.constant dense<[1, 1, 4]> : tensor<3xui4>
  %r1 = stablehlo.maximum %a1, %b1 : tensor<3xui4>
  check.expect_eq_const %r1, dense<[15, 1, 9]> : tensor<3xui4>

  %a2 = stablehlo.constant dense<[1.5, 448.0, 0.25]> : tensor<3xf8E4M3FN>
  %b2 = stablehlo.constant dense<[2.0, 32.0, 0.5]> : tensor<3xf8E4M3FN>
  %r2 = stablehlo.maximum %a2, %b2 : tensor<3xf8E4M3FN>
  check.expect_eq_const %r2, dense<[2.0, 448.0, 0.5]> : tensor<3xf8E4M3FN>

  %a3 = stablehlo.constant dense<[1.5, 57344.0, -1.0]> : tensor<3xf8E5M2>
  %b3 = stablehlo.constant dense<[0.25, 57344.0, 4.0]> : tensor<3xf8E5M2>
  %r3 = stablehlo.maximum %a3, %b3 : tensor<3xf8E5M2>
  check.expect_eq_const %r3, dense<[1.5, 57344.0, 4.0]> : tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %a = stablehlo.constant dense<[-10, 0, 30, 100]> : tensor<4xi8>
  %b = stablehlo.constant dense<[6, -2, 4, 50]> : tensor<4xi8>
  %p = stablehlo.bitcast_convert %a : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:0>>
  %q = stablehlo.bitcast_convert %b : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.25:-2>>
  %s = stablehlo.maximum %p, %q
      : (tensor<4x!quant.uniform<i8:f32, 0.5:0>>, tensor<4x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:-3>>
  %r = stablehlo.bitcast_convert %s : (tensor<4x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[1, -3, 27, 97]> : tensor<4xi8>
  func.return
}
