// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -2.0, 3.0, 100.0, 10000.0, 0x7FC00000]> : tensor<6xf32>
  %r0 = stablehlo.cosine %x0 : tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.87758255, -0.41614684, -0.9899925, 0.8623189,
                                         -0.95215535, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = stablehlo.cosine %x1 : tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 1.0, 1.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, -2.0, 3.0, 100.0]> : tensor<4xf64>
  %r2 = stablehlo.cosine %x2 : tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.8775825618903728, -0.4161468365471424,
                                         -0.9899924966004454, 0.8623188722876839]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -2.0, 3.0]> : tensor<3xf16>
  %r3 = stablehlo.cosine %x3 : tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.8774, -0.4163, -0.99]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 1 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -2.0, 3.0]> : tensor<3xbf16>
  %r4 = stablehlo.cosine %x4 : tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.87891, -0.41602, -0.98828]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r5 = stablehlo.cosine %x5 : tensor<2x0xf32>
  check.expect_eq_const %r5, dense<> : tensor<2x0xf32>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r6 = stablehlo.cosine %z6 : tensor<3xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(0.9051502, -0.12110879), (0.2661272, 3.617775),
                                         (-1.2817267, 0.11604534)]> : tensor<3xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = stablehlo.cosine %z7 : tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(0.9051501505596067, -0.12110879604381165),
                                         (0.2661271953135458, 3.6177750739401375)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E4M3FN>
  %r0 = stablehlo.cosine %x0 : tensor<3xf8E4M3FN>
  %expected0 = stablehlo.constant dense<[0.875, 0.5625, -0.40625]> : tensor<3xf8E4M3FN>
  check.expect_close %r0, %expected0, max_ulp_difference = 1
      : tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>

  %x1 = stablehlo.constant dense<[0.25, 1.5, 3.0]> : tensor<3xf8E5M2>
  %r1 = stablehlo.cosine %x1 : tensor<3xf8E5M2>
  %expected1 = stablehlo.constant dense<[1.0, 0.078125, -1.0]> : tensor<3xf8E5M2>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<3xf8E5M2>, tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-124, -112, -100, -77]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>
  %y = stablehlo.cosine %q
      : (tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>
  %r = stablehlo.bitcast_convert %y : (tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-48, -55, -67, -80]> : tensor<4xi8>
  func.return
}
