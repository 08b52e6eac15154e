// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 3.0, 0x7FC00000]> : tensor<4xf32>
  %r0 = chlo.cosh %x0 : tensor<4xf32> -> tensor<4xf32>
  %expected0 = stablehlo.constant dense<[1.127626, 1.5430807, 10.067662, 0x7FC00000]> : tensor<4xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.cosh %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000, 0x7F800000, 1.0, 1.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 3.0]> : tensor<3xf64>
  %r2 = chlo.cosh %x2 : tensor<3xf64> -> tensor<3xf64>
  %expected2 = stablehlo.constant dense<[1.1276259652063807, 1.5430806348152437,
                                         10.067661995777765]> : tensor<3xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<3xf64>, tensor<3xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xf16>
  %r3 = chlo.cosh %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[1.128, 1.543, 1.1016e4]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xbf16>
  %r4 = chlo.cosh %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[1.125, 1.5469, 11008.0]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %x5 = stablehlo.constant dense<[10.0, 88.0, -89.0]> : tensor<3xf32>
  %r5 = chlo.cosh %x5 : tensor<3xf32> -> tensor<3xf32>
  %expected5 = stablehlo.constant dense<[11013.233, 8.2581813e37, 2.2448064e38]> : tensor<3xf32>
  check.expect_close %r5, %expected5, max_ulp_difference = 24 : tensor<3xf32>, tensor<3xf32>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f32>>
  %r6 = chlo.cosh %z6 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %expected6 = stablehlo.constant dense<[(1.0925708, 0.12892105), (-0.9789478, -1.9361483)]> : tensor<2xcomplex<f32>>
  check.expect_close %r6, %expected6, max_ulp_difference = 2
      : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>

  %z7 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r7 = chlo.cosh %z7 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected7 = stablehlo.constant dense<[(1.0925708047319176, 0.12892104172809826),
                                         (-0.9789478196465577, -1.9361483295105073)]> : tensor<2xcomplex<f64>>
  check.expect_close %r7, %expected7 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
