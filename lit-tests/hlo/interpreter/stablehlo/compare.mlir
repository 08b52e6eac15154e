// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=other_type %s
// RUN: halo-run --no-constant-folding --entry=other_type %s

// Values: numpy; TOTALORDER as IEEE 754 has it: -NaN, -inf, ..., -0, 0, ..., inf, NaN.

func.func @main() {
  %a0 = stablehlo.constant dense<[false, true, true]> : tensor<3xi1>
  %b0 = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %r0 = stablehlo.compare EQ, %a0, %b0, UNSIGNED : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  check.expect_eq_const %r0, dense<[false, true, false]> : tensor<3xi1>

  %a1 = stablehlo.constant dense<[false, true, true]> : tensor<3xi1>
  %b1 = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %r1 = stablehlo.compare LE, %a1, %b1, UNSIGNED : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  check.expect_eq_const %r1, dense<[true, true, false]> : tensor<3xi1>

  %a2 = stablehlo.constant dense<[-128, 1, 5]> : tensor<3xi8>
  %b2 = stablehlo.constant dense<[127, 1, -5]> : tensor<3xi8>
  %r2 = stablehlo.compare EQ, %a2, %b2, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %r2, dense<[false, true, false]> : tensor<3xi1>

  %a3 = stablehlo.constant dense<[-128, 1, 5]> : tensor<3xi8>
  %b3 = stablehlo.constant dense<[127, 1, -5]> : tensor<3xi8>
  %r3 = stablehlo.compare NE, %a3, %b3, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %r3, dense<[true, false, true]> : tensor<3xi1>

  %a4 = stablehlo.constant dense<[-128, 1, 5]> : tensor<3xi8>
  %b4 = stablehlo.constant dense<[127, 1, -5]> : tensor<3xi8>
  %r4 = stablehlo.compare LT, %a4, %b4, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %r4, dense<[true, false, false]> : tensor<3xi1>

  %a5 = stablehlo.constant dense<[-128, 1, 5]> : tensor<3xi8>
  %b5 = stablehlo.constant dense<[127, 1, -5]> : tensor<3xi8>
  %r5 = stablehlo.compare LE, %a5, %b5, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %r5, dense<[true, true, false]> : tensor<3xi1>

  %a6 = stablehlo.constant dense<[-128, 1, 5]> : tensor<3xi8>
  %b6 = stablehlo.constant dense<[127, 1, -5]> : tensor<3xi8>
  %r6 = stablehlo.compare GT, %a6, %b6, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %r6, dense<[false, false, true]> : tensor<3xi1>

  %a7 = stablehlo.constant dense<[-128, 1, 5]> : tensor<3xi8>
  %b7 = stablehlo.constant dense<[127, 1, -5]> : tensor<3xi8>
  %r7 = stablehlo.compare GE, %a7, %b7, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  check.expect_eq_const %r7, dense<[false, true, true]> : tensor<3xi1>

  %a8 = stablehlo.constant dense<[200, 1, 5]> : tensor<3xui8>
  %b8 = stablehlo.constant dense<[100, 1, 6]> : tensor<3xui8>
  %r8 = stablehlo.compare LT, %a8, %b8, UNSIGNED : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  check.expect_eq_const %r8, dense<[false, false, true]> : tensor<3xi1>

  %a9 = stablehlo.constant dense<[200, 1, 5]> : tensor<3xui8>
  %b9 = stablehlo.constant dense<[100, 1, 6]> : tensor<3xui8>
  %r9 = stablehlo.compare GE, %a9, %b9, UNSIGNED : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  check.expect_eq_const %r9, dense<[true, true, false]> : tensor<3xi1>

  %a10 = stablehlo.constant dense<[-1, 3]> : tensor<2xi64>
  %b10 = stablehlo.constant dense<[0, 3]> : tensor<2xi64>
  %r10 = stablehlo.compare LE, %a10, %b10, SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %r10, dense<[true, true]> : tensor<2xi1>

  %a11 = stablehlo.constant dense<[-1, 3]> : tensor<2xi64>
  %b11 = stablehlo.constant dense<[0, 3]> : tensor<2xi64>
  %r11 = stablehlo.compare EQ, %a11, %b11, SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %r11, dense<[false, true]> : tensor<2xi1>

  %a12 = stablehlo.constant dense<[0, 3]> : tensor<2xui64>
  %b12 = stablehlo.constant dense<[0, 3]> : tensor<2xui64>
  %r12 = stablehlo.compare GT, %a12, %b12, UNSIGNED
      : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  check.expect_eq_const %r12, dense<[false, false]> : tensor<2xi1>

  %a13 = stablehlo.constant dense<[0, 3]> : tensor<2xui64>
  %b13 = stablehlo.constant dense<[0, 3]> : tensor<2xui64>
  %r13 = stablehlo.compare NE, %a13, %b13, UNSIGNED
      : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  check.expect_eq_const %r13, dense<[false, false]> : tensor<2xi1>

  %a14 = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %b14 = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  %r14 = stablehlo.compare EQ, %a14, %b14, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r14, dense<[false, true, false, false, true]> : tensor<5xi1>

  %a15 = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %b15 = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  %r15 = stablehlo.compare NE, %a15, %b15, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r15, dense<[true, false, true, true, false]> : tensor<5xi1>

  %a16 = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %b16 = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  %r16 = stablehlo.compare LT, %a16, %b16, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r16, dense<[false, false, true, true, false]> : tensor<5xi1>

  %a17 = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %b17 = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  %r17 = stablehlo.compare LE, %a17, %b17, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r17, dense<[false, true, true, true, true]> : tensor<5xi1>

  %a18 = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %b18 = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  %r18 = stablehlo.compare GT, %a18, %b18, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r18, dense<false> : tensor<5xi1>

  %a19 = stablehlo.constant dense<[0x7FC00000, -0.0, 1.0, 0xFF800000, 0x7F800000]> : tensor<5xf32>
  %b19 = stablehlo.constant dense<[0x7FC00000, 0.0, 2.0, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  %r19 = stablehlo.compare GE, %a19, %b19, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r19, dense<[false, true, false, false, true]> : tensor<5xi1>

  %a20 = stablehlo.constant dense<[0.1, -1.0]> : tensor<2xf64>
  %b20 = stablehlo.constant dense<[0.2, -2.0]> : tensor<2xf64>
  %r20 = stablehlo.compare EQ, %a20, %b20, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
  check.expect_eq_const %r20, dense<[false, false]> : tensor<2xi1>

  %a21 = stablehlo.constant dense<[0.1, -1.0]> : tensor<2xf64>
  %b21 = stablehlo.constant dense<[0.2, -2.0]> : tensor<2xf64>
  %r21 = stablehlo.compare LE, %a21, %b21, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
  check.expect_eq_const %r21, dense<[true, false]> : tensor<2xi1>

  %a22 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %b22 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %r22 = stablehlo.compare NE, %a22, %b22, FLOAT : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xi1>
  check.expect_eq_const %r22, dense<[false, true]> : tensor<2xi1>

  %a23 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %b23 = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xbf16>
  %r23 = stablehlo.compare GT, %a23, %b23, FLOAT : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xi1>
  check.expect_eq_const %r23, dense<[false, true]> : tensor<2xi1>

  %a24 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %b24 = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r24 = stablehlo.compare EQ, %a24, %b24, FLOAT
      : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %r24, dense<[true, false, false]> : tensor<3xi1>

  %a25 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %b25 = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r25 = stablehlo.compare NE, %a25, %b25, FLOAT
      : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %r25, dense<[false, true, true]> : tensor<3xi1>

  %a26 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %b26 = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r26 = stablehlo.compare LT, %a26, %b26, FLOAT
      : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %r26, dense<[false, false, true]> : tensor<3xi1>

  %a27 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %b27 = stablehlo.constant dense<[(1.0, 2.0), (1.0, -2.0), (1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r27 = stablehlo.compare GE, %a27, %b27, FLOAT
      : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %r27, dense<[true, true, false]> : tensor<3xi1>

  %a28 = stablehlo.constant dense<[0x7FC00000, -0.0, 0xFF800000, 0x7F800000, 1.0]> : tensor<5xf32>
  %b28 = stablehlo.constant dense<[0x7F800000, 0.0, -1.0, 0x7FC00000, 1.0]> : tensor<5xf32>
  %r28 = stablehlo.compare LT, %a28, %b28, TOTALORDER
      : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r28, dense<[false, true, true, true, false]> : tensor<5xi1>

  %a29 = stablehlo.constant dense<[0x7FC00000, -0.0, 0xFF800000, 0x7F800000, 1.0]> : tensor<5xf32>
  %b29 = stablehlo.constant dense<[0x7F800000, 0.0, -1.0, 0x7FC00000, 1.0]> : tensor<5xf32>
  %r29 = stablehlo.compare GE, %a29, %b29, TOTALORDER
      : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r29, dense<[true, false, false, false, true]> : tensor<5xi1>

  %a30 = stablehlo.constant dense<[0x7FC00000, -0.0, 0xFF800000, 0x7F800000, 1.0]> : tensor<5xf32>
  %b30 = stablehlo.constant dense<[0x7F800000, 0.0, -1.0, 0x7FC00000, 1.0]> : tensor<5xf32>
  %r30 = stablehlo.compare EQ, %a30, %b30, TOTALORDER
      : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  check.expect_eq_const %r30, dense<[false, false, false, false, true]> : tensor<5xi1>
  func.return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %b0 = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %r0 = stablehlo.compare LT, %a0, %b0 : (tensor<2xi4>, tensor<2xi4>) -> tensor<2xi1>
  check.expect_eq_const %r0, dense<[true, false]> : tensor<2xi1>

  %a1 = stablehlo.constant dense<[0.5, 0x7F]> : tensor<2xf8E4M3FN>
  %b1 = stablehlo.constant dense<[1.0, 0x7F]> : tensor<2xf8E4M3FN>
  %r1 = stablehlo.compare LT, %a1, %b1 : (tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>) -> tensor<2xi1>
  check.expect_eq_const %r1, dense<[true, false]> : tensor<2xi1>

  %a2 = stablehlo.constant dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
  %b2 = stablehlo.constant dense<[4.0, 0.5]> : tensor<2xf4E2M1FN>
  %r2 = stablehlo.compare LT, %a2, %b2 : (tensor<2xf4E2M1FN>, tensor<2xf4E2M1FN>) -> tensor<2xi1>
  check.expect_eq_const %r2, dense<[false, true]> : tensor<2xi1>
  func.return
}

// The element type says how to compare, whatever 'compare_type' names.

func.func @other_type() {
  %i = stablehlo.constant dense<[-1, 1, 2]> : tensor<3xi32>
  %j = stablehlo.constant dense<[1, -1, 2]> : tensor<3xi32>
  %r0 = stablehlo.compare LT, %i, %j, UNSIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %r0, dense<[true, false, false]> : tensor<3xi1>
  %r1 = stablehlo.compare GE, %i, %j, TOTALORDER : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  check.expect_eq_const %r1, dense<[false, true, true]> : tensor<3xi1>

  %u = stablehlo.constant dense<[4294967295, 1]> : tensor<2xui32>
  %v = stablehlo.constant dense<[1, 4294967295]> : tensor<2xui32>
  %r2 = stablehlo.compare LT, %u, %v, SIGNED : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xi1>
  check.expect_eq_const %r2, dense<[false, true]> : tensor<2xi1>

  %f = stablehlo.constant dense<[-1.0, 0x7FC00000, -0.0]> : tensor<3xf32>
  %g = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0]> : tensor<3xf32>
  %r3 = stablehlo.compare EQ, %f, %g, SIGNED : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %r3, dense<[false, false, true]> : tensor<3xi1>
  %r4 = stablehlo.compare LT, %f, %g, UNSIGNED : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %r4, dense<[true, false, false]> : tensor<3xi1>
  return
}
