// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, -1.0, 0.5, 88.5, -100.0, 89.0, 0x7FC00000]> : tensor<7xf32>
  %r0 = stablehlo.exponential %x0 : tensor<7xf32>
  %expected0 = stablehlo.constant dense<[2.7182817, 0.36787945, 1.6487212, 2.723088e38,
                                         3.8e-44, 0x7F800000, 0x7FC00000]> : tensor<7xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 1 : tensor<7xf32>, tensor<7xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = stablehlo.exponential %x1 : tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000, 0.0, 1.0, 1.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits1, dense<[2139095040, 0, 1065353216, 1065353216]> : tensor<4xui32>

  %x2 = stablehlo.constant dense<[1.0, -700.0, 709.5, 1.0e-17]> : tensor<4xf64>
  %r2 = stablehlo.exponential %x2 : tensor<4xf64>
  %expected2 = stablehlo.constant dense<[2.718281828459045, 9.85967654375977e-305,
                                         1.3549863193146328e308, 1.0]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[1.0, -1.0, 0.5]> : tensor<3xf16>
  %r3 = stablehlo.exponential %x3 : tensor<3xf16>
  %expected3 = stablehlo.constant dense<[2.719, 0.368, 1.648]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 1 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[1.0, -1.0, 0.5]> : tensor<3xbf16>
  %r4 = stablehlo.exponential %x4 : tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[2.7188, 0.36719, 1.6484]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r5 = stablehlo.exponential %x5 : tensor<2x0xf32>
  check.expect_eq_const %r5, dense<> : tensor<2x0xf32>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r6 = stablehlo.exponential %z6 : tensor<3xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(1.5974665, 0.40790018), (-0.09285491, 0.20289168),
                                         (14.696363, -13.69108)]> : tensor<3xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = stablehlo.exponential %z7 : tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(1.5974665191199127, 0.40790017007835977),
                                         (-0.09285491028402633, 0.2028916804701695)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E4M3FN>
  %r0 = stablehlo.exponential %x0 : tensor<3xf8E4M3FN>
  %expected0 = stablehlo.constant dense<[1.625, 2.75, 7.5]> : tensor<3xf8E4M3FN>
  check.expect_close %r0, %expected0, max_ulp_difference = 1
      : tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>

  %x1 = stablehlo.constant dense<[0.25, 1.5, 3.0]> : tensor<3xf8E5M2>
  %r1 = stablehlo.exponential %x1 : tensor<3xf8E5M2>
  %expected1 = stablehlo.constant dense<[1.25, 4.0, 20.0]> : tensor<3xf8E5M2>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<3xf8E5M2>, tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-124, -112, -100, -77]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>
  %y = stablehlo.exponential %q
      : (tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>
  %r = stablehlo.bitcast_convert %y : (tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-43, -21, 28, 127]> : tensor<4xi8>
  func.return
}
