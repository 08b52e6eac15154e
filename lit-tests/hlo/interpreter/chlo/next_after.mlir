// RUN: halo-run --backend=interpreter %s

// Values: numpy.nextafter.

func.func @main() {
  %a0 = stablehlo.constant dense<[1.0, 1.0, 0.0, -0.0, 3.4028235e38]> : tensor<5xf32>
  %b0 = stablehlo.constant dense<[2.0, 0.0, -1.0, 1.0, 0x7F800000]> : tensor<5xf32>
  %r0 = chlo.next_after %a0, %b0 : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  check.expect_eq_const %r0, dense<[1.0000001, 0.99999994, -1.0e-45, 1.0e-45, 0x7F800000]> : tensor<5xf32>

  %a1 = stablehlo.constant dense<[0x7FC00000, 1.0, 5.5, 0x7F800000]> : tensor<4xf32>
  %b1 = stablehlo.constant dense<[1.0, 0x7FC00000, 5.5, 0.0]> : tensor<4xf32>
  %r1 = chlo.next_after %a1, %b1 : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  check.expect_eq_const %r1, dense<[0x7FC00000, 0x7FC00000, 5.5, 3.4028235e38]> : tensor<4xf32>

  %a2 = stablehlo.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf64>
  %b2 = stablehlo.constant dense<[0.0, 1.0, -2.0]> : tensor<3xf64>
  %r2 = chlo.next_after %a2, %b2 : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  check.expect_eq_const %r2, dense<[0.9999999999999999, 5.0e-324, -1.0000000000000002]> : tensor<3xf64>

  %a3 = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf16>
  %b3 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf16>
  %r3 = chlo.next_after %a3, %b3 : tensor<2xf16>, tensor<2xf16> -> tensor<2xf16>
  check.expect_eq_const %r3, dense<[1.001, 6.0e-8]> : tensor<2xf16>

  %a4 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %b4 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xbf16>
  %r4 = chlo.next_after %a4, %b4 : tensor<2xbf16>, tensor<2xbf16> -> tensor<2xbf16>
  check.expect_eq_const %r4, dense<[1.0078, 1.9922]> : tensor<2xbf16>
  func.return
}
