// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -0.25, 0.99, 1.0e-10, 0x7FC00000]> : tensor<5xf32>
  %r0 = chlo.erf_inv %x0 : tensor<5xf32> -> tensor<5xf32>
  %expected0 = stablehlo.constant dense<[0.47693628, -0.22531205, 1.8213866, 8.862269e-11,
                                         0x7FC00000]> : tensor<5xf32>
  check.expect_close %r0, %expected0 : tensor<5xf32>, tensor<5xf32>

  %x1 = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %r1 = chlo.erf_inv %x1 : tensor<2xf32> -> tensor<2xf32>
  %expected1 = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  check.expect_close %r1, %expected1 : tensor<2xf32>, tensor<2xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits1, dense<[0, 2147483648]> : tensor<2xui32>

  %x2 = stablehlo.constant dense<[0.5, -0.25, 0.99, 1.0e-10]> : tensor<4xf64>
  %r2 = chlo.erf_inv %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.4769362762044699, -0.2253120550121781,
                                         1.8213863677184494, 8.862269254527581e-11]> : tensor<4xf64>
  check.expect_close %r2, %expected2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %r3 = chlo.erf_inv %x3 : tensor<2xf32> -> tensor<2xf32>
  %expected3 = stablehlo.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  check.expect_close %r3, %expected3 : tensor<2xf32>, tensor<2xf32>

  %x4 = stablehlo.constant dense<[0.5, -0.25, 0.75]> : tensor<3xf16>
  %r4 = chlo.erf_inv %x4 : tensor<3xf16> -> tensor<3xf16>
  %expected4 = stablehlo.constant dense<[0.477, -0.2253, 0.8135]> : tensor<3xf16>
  check.expect_close %r4, %expected4 : tensor<3xf16>, tensor<3xf16>

  %x5 = stablehlo.constant dense<[0.5, -0.25, 0.75]> : tensor<3xbf16>
  %r5 = chlo.erf_inv %x5 : tensor<3xbf16> -> tensor<3xbf16>
  %expected5 = stablehlo.constant dense<[0.47656, -0.22559, 0.8125]> : tensor<3xbf16>
  check.expect_close %r5, %expected5 : tensor<3xbf16>, tensor<3xbf16>

  %x6 = stablehlo.constant dense<[-0.9999]> : tensor<1xf32>
  %r6 = chlo.erf_inv %x6 : tensor<1xf32> -> tensor<1xf32>
  %expected6 = stablehlo.constant dense<[-2.7510355]> : tensor<1xf32>
  check.expect_close %r6, %expected6, max_ulp_difference = 48 : tensor<1xf32>, tensor<1xf32>
  func.return
}
