// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.arctan2, mpmath for complex numbers.

func.func @main() {
  %a0 = stablehlo.constant dense<[0.0, 1.0, -1.0, 3.0, -2.5]> : tensor<5xf32>
  %b0 = stablehlo.constant dense<[1.0, 0.0, 0.0, -4.0, -2.5]> : tensor<5xf32>
  %r0 = stablehlo.atan2 %a0, %b0 : tensor<5xf32>
  %expected0 = stablehlo.constant dense<[0.0, 1.5707964, -1.5707964, 2.4980915, -2.3561945]> : tensor<5xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<5xf32>, tensor<5xf32>

  %a1 = stablehlo.constant dense<[0.0, -0.0, 0.0, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %b1 = stablehlo.constant dense<[-0.0, -1.0, 0.0, 0x7F800000, 0xFF800000, 1.0]> : tensor<6xf32>
  %r1 = stablehlo.atan2 %a1, %b1 : tensor<6xf32>
  %expected1 = stablehlo.constant dense<[3.1415927, -3.1415927, 0.0, 0.7853982, 2.3561945,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %a2 = stablehlo.constant dense<[1.0, -1.0e-300]> : tensor<2xf64>
  %b2 = stablehlo.constant dense<[2.0, 1.0e300]> : tensor<2xf64>
  %r2 = stablehlo.atan2 %a2, %b2 : tensor<2xf64>
  %expected2 = stablehlo.constant dense<[0.4636476090008061, -0.0]> : tensor<2xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<2xf64>, tensor<2xf64>

  %a3 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf16>
  %b3 = stablehlo.constant dense<[2.0, -3.0]> : tensor<2xf16>
  %r3 = stablehlo.atan2 %a3, %b3 : tensor<2xf16>
  %expected3 = stablehlo.constant dense<[0.4636, -2.82]> : tensor<2xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<2xf16>, tensor<2xf16>

  %a4 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xbf16>
  %b4 = stablehlo.constant dense<[2.0, -3.0]> : tensor<2xbf16>
  %r4 = stablehlo.atan2 %a4, %b4 : tensor<2xbf16>
  %expected4 = stablehlo.constant dense<[0.46289, -2.8125]> : tensor<2xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<2xbf16>, tensor<2xbf16>

  %a5 = stablehlo.constant dense<[(1.0, 2.0), (0.5, -1.0)]> : tensor<2xcomplex<f32>>
  %b5 = stablehlo.constant dense<[(3.0, 1.0), (2.0, 0.5)]> : tensor<2xcomplex<f32>>
  %r5 = stablehlo.atan2 %a5, %b5 : tensor<2xcomplex<f32>>
  %expected5 = stablehlo.constant dense<[(0.5535744, 0.4023595), (0.16087528, -0.5756463)]> : tensor<2xcomplex<f32>>
  check.expect_close %r5, %expected5, max_ulp_difference = 2
      : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  func.return
}

func.func @narrow() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>
  %b = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf8E4M3FN>
  %r = stablehlo.atan2 %a, %b : tensor<2xf8E4M3FN>
  %expected = stablehlo.constant dense<[0.8125, 2.0]> : tensor<2xf8E4M3FN>
  check.expect_close %r, %expected, max_ulp_difference = 2 : tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>
  func.return
}
