// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 10.0, 1.0e-5, -1.0e30, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.asinh %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.4812118, -0.8813736, 2.998223, 1.0e-5, -69.7707,
                                         0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  %r1 = chlo.asinh %x1 : tensor<4xf32> -> tensor<4xf32>
  %expected1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<4xf32>
  check.expect_close %r1, %expected1, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits1, dense<[2139095040, 4286578688, 0, 2147483648]> : tensor<4xui32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 10.0, 1.0e-5]> : tensor<4xf64>
  %r2 = chlo.asinh %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.48121182505960347, -0.881373587019543,
                                         2.99822295029797, 9.999999999833334e-6]> : tensor<4xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xf16>
  %r3 = chlo.asinh %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.4812, -0.8813, 2.998]> : tensor<3xf16>
  check.expect_close %r3, %expected3, max_ulp_difference = 2 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xbf16>
  %r4 = chlo.asinh %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.48047, -0.88281, 3.0]> : tensor<3xbf16>
  check.expect_close %r4, %expected4, max_ulp_difference = 2 : tensor<3xbf16>, tensor<3xbf16>

  %z5 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (3.0, -0.75)]> : tensor<3xcomplex<f32>>
  %r5 = chlo.asinh %z5 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %expected5 = stablehlo.constant dense<[(0.4926757, 0.22432846), (-1.6004101, 0.88776517),
                                         (1.844576, -0.23347145)]> : tensor<3xcomplex<f32>>
  check.expect_close %r5, %expected5, max_ulp_difference = 2
      : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>

  %z6 = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0)]> : tensor<2xcomplex<f64>>
  %r6 = chlo.asinh %z6 : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %expected6 = stablehlo.constant dense<[(0.4926756834207706, 0.2243284526346675),
                                         (-1.6004100552346137, 0.8877651461839051)]> : tensor<2xcomplex<f64>>
  check.expect_close %r6, %expected6 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  func.return
}
