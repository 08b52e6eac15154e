// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -0.25, 0.99, 1.0e-5, -0.999, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.atanh %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.54930615, -0.25541282, 2.646653, 1.0e-5, -3.8002076,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.atanh %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, -0.25, 0.99, 1.0e-5]> : tensor<4xf64>
  %r2 = chlo.atanh %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.5493061443340549, -0.25541281188299536,
                                         2.6466524123622457, 1.0000000000333334e-5]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %r3 = chlo.atanh %x3 : tensor<2xf32> -> tensor<2xf32>
  %expected3 = stablehlo.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>

  %x4 = stablehlo.constant dense<[0.5, -0.25, 0.75]> : tensor<3xf16>
  %r4 = chlo.atanh %x4 : tensor<3xf16> -> tensor<3xf16>
  %expected4 = stablehlo.constant dense<[0.5493, -0.2554, 0.973]> : tensor<3xf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x5 = stablehlo.constant dense<[0.5, -0.25, 0.75]> : tensor<3xbf16>
  %r5 = chlo.atanh %x5 : tensor<3xbf16> -> tensor<3xbf16>
  %expected5 = stablehlo.constant dense<[0.55078, -0.25586, 0.97266]> : tensor<3xbf16>
  check.expect_close %r5, %expected5, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r6 = chlo.atanh %z6 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(0.50037, 0.31439814), (-0.22008967, 1.245258),
                                         (0.3223176, -1.484085)]> : tensor<3xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = chlo.atanh %z7 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(0.5003700000525311, 0.3143981432077165),
                                         (-0.22008968066202292, 1.2452579660726568)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
