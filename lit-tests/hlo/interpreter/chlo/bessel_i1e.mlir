// RUN: halo-run --backend=interpreter %s

// Values: mpmath with 400 bits, rounded to the element type.

func.func @main() {
  %x0 = stablehlo.constant dense<[0.5, -1.0, 10.0, 100.0, 1.0e-5, 0x7FC00000]> : tensor<6xf32>
  %r0 = chlo.bessel_i1e %x0 : tensor<6xf32> -> tensor<6xf32>
  %expected0 = stablehlo.constant dense<[0.1564208, -0.20791042, 0.121262684, 0.039744154,
                                         4.99995e-6, 0x7FC00000]> : tensor<6xf32>
  check.expect_close %r0, %expected0 : tensor<6xf32>, tensor<6xf32>

  %x1 = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %r1 = chlo.bessel_i1e %x1 : tensor<1xf32> -> tensor<1xf32>
  %expected1 = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  check.expect_close %r1, %expected1 : tensor<1xf32>, tensor<1xf32>

  %x2 = stablehlo.constant dense<[0.5, -1.0, 10.0, 100.0]> : tensor<4xf64>
  %r2 = chlo.bessel_i1e %x2 : tensor<4xf64> -> tensor<4xf64>
  %expected2 = stablehlo.constant dense<[0.1564208031848717, -0.20791041534970844,
                                         0.12126268138445552, 0.03974415302513025]> : tensor<4xf64>
  check.expect_close %r2, %expected2 : tensor<4xf64>, tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xf16>
  %r3 = chlo.bessel_i1e %x3 : tensor<3xf16> -> tensor<3xf16>
  %expected3 = stablehlo.constant dense<[0.1564, -0.2079, 0.1213]> : tensor<3xf16>
  check.expect_close %r3, %expected3 : tensor<3xf16>, tensor<3xf16>

  %x4 = stablehlo.constant dense<[0.5, -1.0, 10.0]> : tensor<3xbf16>
  %r4 = chlo.bessel_i1e %x4 : tensor<3xbf16> -> tensor<3xbf16>
  %expected4 = stablehlo.constant dense<[0.15625, -0.20801, 0.12109]> : tensor<3xbf16>
  check.expect_close %r4, %expected4 : tensor<3xbf16>, tensor<3xbf16>
  func.return
}
