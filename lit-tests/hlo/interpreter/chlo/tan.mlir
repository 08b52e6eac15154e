// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.5, 3.0, 1.5703125, 100.0, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.tan %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.5463025, -14.10142, -0.14254655, 2066.8552,
                                         -0.58721393, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.tan %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, -1.5, 3.0, 1.5703125]> : tensor<4xf64>
  %r2 = chlo.tan %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.5463024898437905, -14.101419947171719,
                                         -0.1425465430742778, 2066.8551897466036]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.25, 3.0]> : tensor<3xf16>
  %r3 = chlo.tan %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.5464, -3.01, -0.1426]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.25, 3.0]> : tensor<3xbf16>
  %r4 = chlo.tan %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.54688, -3.0156, -0.14258]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %z5 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f32>>
  %r5 = chlo.tan %z5 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %expected5 = stablehlo.constant dense<[(0.5045007, 0.3124207), (-0.005362061, 1.0369203)]> : tensor<2xcomplex<f32>>
  check.expect_close %r5, %expected5, max_ulp_difference = 2
      : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r6 = chlo.tan %z6 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected6 = stablehlo.constant dense<[(0.504500702698564, 0.3124206925025888),
                                         (-0.0053620609220030565, 1.036920282100185)]> : tensor<2xcomplex<f64>>
  check.expect_close %r6, %expected6 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
