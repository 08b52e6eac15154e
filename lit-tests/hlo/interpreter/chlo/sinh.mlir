// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 3.0, 1.0e-8, 0x7FC00000]> : tensor<5xf32>
  %r0 = chlo.sinh %x0 : tensor<5xf32> -> tensor<5xf32>
  %expected0 = stablehlo.constant dense<[0.5210953, -1.1752012, 10.017875, 1.0e-8, 0x7FC00000]> : tensor<5xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<5xf32>, tensor<5xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.sinh %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits1, dense<[2139095040, 4286578688, 0, 2147483648]> : tensor<4xui32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 3.0, 1.0e-8]> : tensor<4xf64>
  %r2 = chlo.sinh %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.5210953054937474, -1.1752011936438014,
                                         10.017874927409903, 1.0e-8]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xf16>
  %r3 = chlo.sinh %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.521, -1.175, 1.1016e4]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xbf16>
  %r4 = chlo.sinh %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.51953, -1.1719, 11008.0]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<[10.0, 88.0, -89.0]> : tensor<3xf32>
  %r5 = chlo.sinh %x5 : tensor<3xf32> -> tensor<3xf32>
  %expected5 = stablehlo.constant dense<[11013.232, 8.2581813e37, -2.2448064e38]> : tensor<3xf32>
  check.expect_close %r5, %expected5, max_ulp_difference = 24 : tensor<3xf32>, tensor<3xf32>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f32>>
  %r6 = chlo.sinh %z6 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(0.5048957, 0.27897912), (0.8860929, 2.13904)]> : tensor<2xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = chlo.sinh %z7 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(0.504895714387995, 0.2789791283502615),
                                         (0.8860929093625314, 2.139040009980677)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
