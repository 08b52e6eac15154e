// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[4.0, 0.25, 2.0, 1.0e-30, 3.0e38, 0x7FC00000]> : tensor<6xf32>
  %r0 = stablehlo.sqrt %x0 : tensor<6xf32>
  %expected0 = stablehlo.constant dense<[2.0, 0.5, 1.4142135, 1.0e-15, 1.7320508e19, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = stablehlo.sqrt %x1 : tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[4.0, 0.25, 2.0, 1.0e-30]> : tensor<4xf64>
  %r2 = stablehlo.sqrt %x2 : tensor<4xf64>
  %expected2 = stablehlo.constant dense<[2.0, 0.5, 1.4142135623730951, 1.0e-15]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[-4.0]> : tensor<1xf32>
  %r3 = stablehlo.sqrt %x3 : tensor<1xf32>
  %expected3 = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  check.expect_close %r3, %expected3, max_ulp_difference = 1 : tensor<1xf32>, tensor<1xf32>

  %x4 = stablehlo.constant dense<[4.0, 0.25, 2.0]> : tensor<3xf16>
  %r4 = stablehlo.sqrt %x4 : tensor<3xf16>
  %expected4 = stablehlo.constant dense<[2.0, 0.5, 1.414]> : tensor<3xf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 1 : tensor<3xf16>, tensor<3xf16>

  %x5 = stablehlo.constant dense<[4.0, 0.25, 2.0]> : tensor<3xbf16>
  %r5 = stablehlo.sqrt %x5 : tensor<3xbf16>
  %expected5 = stablehlo.constant dense<[2.0, 0.5, 1.4141]> : tensor<3xbf16>
  check.expect_close %r5, %expected5, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>

  %x6 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r6 = stablehlo.sqrt %x6 : tensor<2x0xf32>
  check.expect_eq_const %r6, dense<> : tensor<2x0xf32>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r7 = stablehlo.sqrt %z7 : tensor<3xcomplex<f32>>
  %expected7 = stablehlo.constant dense<[(0.72767335, 0.17178038), (0.70710677, 1.4142135),
                                         (1.7453265, -0.21485952)]> : tensor<3xcomplex<f32>>
  check.expect_close %r7, %expected7, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z8 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r8 = stablehlo.sqrt %z8 : tensor<2xcomplex<f64>>
  %expected8 = stablehlo.constant dense<[(0.7276733451126774, 0.17178037486125622),
                                         (0.7071067811865476, 1.4142135623730951)]> : tensor<2xcomplex<f64>>
  check.expect_close %r8, %expected8 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E4M3FN>
  %r0 = stablehlo.sqrt %x0 : tensor<3xf8E4M3FN>
  %expected0 = stablehlo.constant dense<[0.6875, 1.0, 1.375]> : tensor<3xf8E4M3FN>
  check.expect_close %r0, %expected0, max_ulp_difference = 1
      : tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>

  %x1 = stablehlo.constant dense<[0.25, 1.5, 3.0]> : tensor<3xf8E5M2>
  %r1 = stablehlo.sqrt %x1 : tensor<3xf8E5M2>
  %expected1 = stablehlo.constant dense<[0.5, 1.25, 1.75]> : tensor<3xf8E5M2>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<3xf8E5M2>, tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-124, -112, -100, -77]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>
  %y = stablehlo.sqrt %q
      : (tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>
  %r = stablehlo.bitcast_convert %y : (tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-56, -48, -43, -35]> : tensor<4xi8>
  func.return
}
