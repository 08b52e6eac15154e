// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.astype and ml_dtypes; integers wrap around, floats go to integers toward zero within the range, NaN becomes 0.

func.func @main() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r0 = stablehlo.convert %x0 : (tensor<2xi1>) -> tensor<2xi32>
  check.expect_eq_const %r0, dense<[1, 0]> : tensor<2xi32>

  %x1 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r1 = stablehlo.convert %x1 : (tensor<2xi1>) -> tensor<2xf32>
  check.expect_eq_const %r1, dense<[1.0, 0.0]> : tensor<2xf32>

  %x2 = stablehlo.constant dense<[0, -1, 256]> : tensor<3xi32>
  %r2 = stablehlo.convert %x2 : (tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %r2, dense<[false, true, true]> : tensor<3xi1>

  %x3 = stablehlo.constant dense<[0.0, -0.0, 0.5, 0x7FC00000]> : tensor<4xf32>
  %r3 = stablehlo.convert %x3 : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %r3, dense<[false, false, true, true]> : tensor<4xi1>

  %x4 = stablehlo.constant dense<[300, -129, 5]> : tensor<3xi32>
  %r4 = stablehlo.convert %x4 : (tensor<3xi32>) -> tensor<3xi8>
  check.expect_eq_const %r4, dense<[44, 127, 5]> : tensor<3xi8>

  %x5 = stablehlo.constant dense<[-1, 256, 7]> : tensor<3xi32>
  %r5 = stablehlo.convert %x5 : (tensor<3xi32>) -> tensor<3xui8>
  check.expect_eq_const %r5, dense<[255, 0, 7]> : tensor<3xui8>

  %x6 = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %r6 = stablehlo.convert %x6 : (tensor<2xi8>) -> tensor<2xi64>
  check.expect_eq_const %r6, dense<[-128, 127]> : tensor<2xi64>

  %x7 = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %r7 = stablehlo.convert %x7 : (tensor<2xui8>) -> tensor<2xi32>
  check.expect_eq_const %r7, dense<[255, 1]> : tensor<2xi32>

  %x8 = stablehlo.constant dense<[16777217, -9223372036854775808]> : tensor<2xi64>
  %r8 = stablehlo.convert %x8 : (tensor<2xi64>) -> tensor<2xf32>
  check.expect_eq_const %r8, dense<[1.6777216e7, -9.223372e18]> : tensor<2xf32>

  %x9 = stablehlo.constant dense<[0, 9007199254740992]> : tensor<2xui64>
  %r9 = stablehlo.convert %x9 : (tensor<2xui64>) -> tensor<2xf64>
  check.expect_eq_const %r9, dense<[0.0, 9007199254740992.0]> : tensor<2xf64>

  %x10 = stablehlo.constant dense<[2.9, -2.9, 3.0e9, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %r10 = stablehlo.convert %x10 : (tensor<5xf32>) -> tensor<5xi32>
  check.expect_eq_const %r10, dense<[2, -2, 2147483647, -2147483648, 0]> : tensor<5xi32>

  %x11 = stablehlo.constant dense<[127.5, -128.9, 300.0]> : tensor<3xf64>
  %r11 = stablehlo.convert %x11 : (tensor<3xf64>) -> tensor<3xi8>
  check.expect_eq_const %r11, dense<[127, -128, 127]> : tensor<3xi8>

  %x12 = stablehlo.constant dense<[-1.5, 255.5, 256.0]> : tensor<3xf32>
  %r12 = stablehlo.convert %x12 : (tensor<3xf32>) -> tensor<3xui8>
  check.expect_eq_const %r12, dense<[0, 255, 255]> : tensor<3xui8>

  %x13 = stablehlo.constant dense<[0.1, 1.0e300, 1.0e-46]> : tensor<3xf64>
  %r13 = stablehlo.convert %x13 : (tensor<3xf64>) -> tensor<3xf32>
  check.expect_eq_const %r13, dense<[0.1, 0x7F800000, 0.0]> : tensor<3xf32>

  %x14 = stablehlo.constant dense<[65520.0, 1.0e-8, 0.1]> : tensor<3xf32>
  %r14 = stablehlo.convert %x14 : (tensor<3xf32>) -> tensor<3xf16>
  check.expect_eq_const %r14, dense<[0x7C00, 0.0, 0.1]> : tensor<3xf16>

  %x15 = stablehlo.constant dense<[1.0039062, 3.4e38, 0.1]> : tensor<3xf32>
  %r15 = stablehlo.convert %x15 : (tensor<3xf32>) -> tensor<3xbf16>
  check.expect_eq_const %r15, dense<[1.0, 0x7F80, 0.1001]> : tensor<3xbf16>

  %x16 = stablehlo.constant dense<[0.1001, -2.0]> : tensor<2xbf16>
  %r16 = stablehlo.convert %x16 : (tensor<2xbf16>) -> tensor<2xf32>
  check.expect_eq_const %r16, dense<[0.100097656, -2.0]> : tensor<2xf32>

  %x17 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %r17 = stablehlo.convert %x17 : (tensor<3xi32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %r17, dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]> : tensor<3xcomplex<f32>>

  %x18 = stablehlo.constant dense<[0.1]> : tensor<1xf64>
  %r18 = stablehlo.convert %x18 : (tensor<1xf64>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r18, dense<[(0.1, 0.0)]> : tensor<1xcomplex<f32>>

  %x19 = stablehlo.constant dense<[(1.0, 2.0), (-0.0, -3.0)]> : tensor<2xcomplex<f32>>
  %r19 = stablehlo.convert %x19 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %r19, dense<[1.0, -0.0]> : tensor<2xf32>
  %bits19 = stablehlo.bitcast_convert %r19 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits19, dense<[1065353216, 2147483648]> : tensor<2xui32>

  %x20 = stablehlo.constant dense<[(0.1, 0.2)]> : tensor<1xcomplex<f64>>
  %r20 = stablehlo.convert %x20 : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %r20, dense<[(0.1, 0.2)]> : tensor<1xcomplex<f32>>

  %x21 = stablehlo.constant dense<[(2.7, 9.0)]> : tensor<1xcomplex<f32>>
  %r21 = stablehlo.convert %x21 : (tensor<1xcomplex<f32>>) -> tensor<1xi32>
  check.expect_eq_const %r21, dense<[2]> : tensor<1xi32>

  %x22 = stablehlo.constant dense<> : tensor<0xf32>
  %r22 = stablehlo.convert %x22 : (tensor<0xf32>) -> tensor<0xf64>
  check.expect_eq_const %r22, dense<> : tensor<0xf64>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[0.3, 1.0625, 1.1875, -448.0]> : tensor<4xf32>
  %r0 = stablehlo.convert %x0 : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  check.expect_eq_const %r0, dense<[0.3125, 1.0, 1.25, -448.0]> : tensor<4xf8E4M3FN>

  %x1 = stablehlo.constant dense<[0.3, 1.125, 57344.0, 0x7F800000]> : tensor<4xf32>
  %r1 = stablehlo.convert %x1 : (tensor<4xf32>) -> tensor<4xf8E5M2>
  check.expect_eq_const %r1, dense<[0.3125, 1.0, 57344.0, 0x7C]> : tensor<4xf8E5M2>

  %x2 = stablehlo.constant dense<[0.3, 240.0, 0xFF800000]> : tensor<3xf32>
  %r2 = stablehlo.convert %x2 : (tensor<3xf32>) -> tensor<3xf8E4M3>
  check.expect_eq_const %r2, dense<[0.3125, 240.0, 0xF8]> : tensor<3xf8E4M3>

  %x3 = stablehlo.constant dense<[0.3, 15.5]> : tensor<2xf32>
  %r3 = stablehlo.convert %x3 : (tensor<2xf32>) -> tensor<2xf8E3M4>
  check.expect_eq_const %r3, dense<[0.296875, 15.5]> : tensor<2xf8E3M4>

  %x4 = stablehlo.constant dense<[0.3, 240.0, -0.5]> : tensor<3xf32>
  %r4 = stablehlo.convert %x4 : (tensor<3xf32>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %r4, dense<[0.3125, 240.0, -0.5]> : tensor<3xf8E4M3FNUZ>

  %x5 = stablehlo.constant dense<[0.3, 57344.0]> : tensor<2xf32>
  %r5 = stablehlo.convert %x5 : (tensor<2xf32>) -> tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %r5, dense<[0.3125, 57344.0]> : tensor<2xf8E5M2FNUZ>

  %x6 = stablehlo.constant dense<[0.3, 30.0]> : tensor<2xf32>
  %r6 = stablehlo.convert %x6 : (tensor<2xf32>) -> tensor<2xf8E4M3B11FNUZ>
  check.expect_eq_const %r6, dense<[0.3125, 30.0]> : tensor<2xf8E4M3B11FNUZ>

  %x7 = stablehlo.constant dense<[0.25, 4.0, 1024.0]> : tensor<3xf32>
  %r7 = stablehlo.convert %x7 : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  check.expect_eq_const %r7, dense<[0.25, 4.0, 1024.0]> : tensor<3xf8E8M0FNU>

  %x8 = stablehlo.constant dense<[0.25, 0.75, 2.5, 5.0, -6.0]> : tensor<5xf32>
  %r8 = stablehlo.convert %x8 : (tensor<5xf32>) -> tensor<5xf4E2M1FN>
  check.expect_eq_const %r8, dense<[0.0, 1.0, 2.0, 4.0, -6.0]> : tensor<5xf4E2M1FN>

  %x9 = stablehlo.constant dense<[0.3, 7.5, 1.0625]> : tensor<3xf32>
  %r9 = stablehlo.convert %x9 : (tensor<3xf32>) -> tensor<3xf6E2M3FN>
  check.expect_eq_const %r9, dense<[0.25, 7.5, 1.0]> : tensor<3xf6E2M3FN>

  %x10 = stablehlo.constant dense<[0.3, 28.0, -1.125]> : tensor<3xf32>
  %r10 = stablehlo.convert %x10 : (tensor<3xf32>) -> tensor<3xf6E3M2FN>
  check.expect_eq_const %r10, dense<[0.3125, 28.0, -1.0]> : tensor<3xf6E3M2FN>

  %x11 = stablehlo.constant dense<[0.3125, 448.0]> : tensor<2xf8E4M3FN>
  %r11 = stablehlo.convert %x11 : (tensor<2xf8E4M3FN>) -> tensor<2xf32>
  check.expect_eq_const %r11, dense<[0.3125, 448.0]> : tensor<2xf32>

  %x12 = stablehlo.constant dense<[0.3125, -3.0]> : tensor<2xf8E5M2>
  %r12 = stablehlo.convert %x12 : (tensor<2xf8E5M2>) -> tensor<2xf16>
  check.expect_eq_const %r12, dense<[0.3125, -3.0]> : tensor<2xf16>

  %x13 = stablehlo.constant dense<[0.5, 6.0]> : tensor<2xf4E2M1FN>
  %r13 = stablehlo.convert %x13 : (tensor<2xf4E2M1FN>) -> tensor<2xf32>
  check.expect_eq_const %r13, dense<[0.5, 6.0]> : tensor<2xf32>

  %x14 = stablehlo.constant dense<[7, -8, 3]> : tensor<3xi32>
  %r14 = stablehlo.convert %x14 : (tensor<3xi32>) -> tensor<3xi4>
  check.expect_eq_const %r14, dense<[7, -8, 3]> : tensor<3xi4>

  %x15 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %r15 = stablehlo.convert %x15 : (tensor<2xi4>) -> tensor<2xi32>
  check.expect_eq_const %r15, dense<[-8, 7]> : tensor<2xi32>

  %x16 = stablehlo.constant dense<[15, 0]> : tensor<2xui4>
  %r16 = stablehlo.convert %x16 : (tensor<2xui4>) -> tensor<2xf32>
  check.expect_eq_const %r16, dense<[15.0, 0.0]> : tensor<2xf32>

  %x17 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %r17 = stablehlo.convert %x17 : (tensor<2xi2>) -> tensor<2xi8>
  check.expect_eq_const %r17, dense<[-2, 1]> : tensor<2xi8>

  %x18 = stablehlo.constant dense<[3, 0]> : tensor<2xui2>
  %r18 = stablehlo.convert %x18 : (tensor<2xui2>) -> tensor<2xi32>
  check.expect_eq_const %r18, dense<[3, 0]> : tensor<2xi32>

  %x19 = stablehlo.constant dense<[1.125, 448.0]> : tensor<2xf8E4M3FN>
  %r19 = stablehlo.convert %x19 : (tensor<2xf8E4M3FN>) -> tensor<2xf8E5M2>
  check.expect_eq_const %r19, dense<[1.0, 448.0]> : tensor<2xf8E5M2>
  func.return
}
