// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 2.0, 1.0e-8, -10.0, 0x7FC00000]> : tensor<6xf32>
  %r0 = stablehlo.tanh %x0 : tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.46211717, -0.7615942, 0.9640276, 1.0e-8, -1.0,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = stablehlo.tanh %x1 : tensor<4xf32>
  %expected1 = stablehlo.constant dense<[1.0, -1.0, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits1, dense<[1065353216, 3212836864, 0, 2147483648]> : tensor<4xui32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 2.0, 1.0e-8]> : tensor<4xf64>
  %r2 = stablehlo.tanh %x2 : tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.46211715726000974, -0.7615941559557649,
                                         0.9640275800758169, 1.0e-8]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 2.0]> : tensor<3xf16>
  %r3 = stablehlo.tanh %x3 : tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.4622, -0.7617, 0.964]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 1 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 2.0]> : tensor<3xbf16>
  %r4 = stablehlo.tanh %x4 : tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.46289, -0.76172, 0.96484]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 1 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r5 = stablehlo.tanh %x5 : tensor<2x0xf32>
  check.expect_eq_const %r5, dense<> : tensor<2x0xf32>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f32>>
  %r6 = stablehlo.tanh %z6 : tensor<2xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(0.48548728, 0.19805545), (-1.0641444, -0.08039101)]> : tensor<2xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = stablehlo.tanh %z7 : tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(0.48548728102413535, 0.19805544995134952),
                                         (-1.0641443991765371, -0.08039101531016818)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E4M3FN>
  %r0 = stablehlo.tanh %x0 : tensor<3xf8E4M3FN>
  %expected0 = stablehlo.constant dense<[0.46875, 0.75, 0.9375]> : tensor<3xf8E4M3FN>
  check.expect_close %r0, %expected0, max_ulp_difference = 1
      : tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>

  %x1 = stablehlo.constant dense<[0.25, 1.5, 3.0]> : tensor<3xf8E5M2>
  %r1 = stablehlo.tanh %x1 : tensor<3xf8E5M2>
  %expected1 = stablehlo.constant dense<[0.25, 0.875, 1.0]> : tensor<3xf8E5M2>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<3xf8E5M2>, tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-124, -112, -100, -77]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>
  %y = stablehlo.tanh %q
      : (tensor<4x!quant.uniform<i8:f32, 0.0625:-128>>) -> tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>
  %r = stablehlo.bitcast_convert %y : (tensor<4x!quant.uniform<i8:f32, 0.0625:-64>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[-60, -52, -49, -48]> : tensor<4xi8>
  func.return
}
