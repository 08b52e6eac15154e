// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 10.0, 1.0e-5, -1.0e10, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.atan %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.4636476, -0.7853982, 1.4711276, 1.0e-5, -1.5707964,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.atan %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[1.5707964, -1.5707964, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 10.0, 1.0e-5]> : tensor<4xf64>
  %r2 = chlo.atan %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.4636476090008061, -0.7853981633974483,
                                         1.4711276743037347, 9.999999999666668e-6]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xf16>
  %r3 = chlo.atan %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.4636, -0.785, 1.471]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xbf16>
  %r4 = chlo.atan %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.46289, -0.78516, 1.4688]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %z5 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r5 = chlo.atan %z5 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected5 = stablehlo.constant dense<[(0.48425448, 0.20058662), (-1.3112233, 0.3104283),
                                         (1.2651885, -0.07148911)]> : tensor<3xcomplex<f32>>
  check.expect_close %r5, %expected5, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r6 = chlo.atan %z6 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected6 = stablehlo.constant dense<[(0.4842544903299662, 0.20058661813123432),
                                         (-1.311223269671635, 0.3104282830771958)]> : tensor<2xcomplex<f64>>
  check.expect_close %r6, %expected6 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
