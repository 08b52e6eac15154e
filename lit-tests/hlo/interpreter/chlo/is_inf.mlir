// RUN: halo-run --backend=interpreter %s

// Values: numpy.isinf.

func.func @main() {
  %x0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.0, 3.4e38]> : tensor<5xf32>
  %r0 = chlo.is_inf %x0 : tensor<5xf32> -> tensor<5xi1>
  check.expect_eq_const %r0, dense<[true, true, false, false, false]> : tensor<5xi1>

  %x1 = stablehlo.constant dense<[0xFFF0000000000000, 1.0e308, 0x7FF0000000000000]> : tensor<3xf64>
  %r1 = chlo.is_inf %x1 : tensor<3xf64> -> tensor<3xi1>
  check.expect_eq_const %r1, dense<[true, false, true]> : tensor<3xi1>

  %x2 = stablehlo.constant dense<[6.55e4, 0xFC00]> : tensor<2xf16>
  %r2 = chlo.is_inf %x2 : tensor<2xf16> -> tensor<2xi1>
  check.expect_eq_const %r2, dense<[false, true]> : tensor<2xi1>

  %x3 = stablehlo.constant dense<[0x7F80, 1.0]> : tensor<2xbf16>
  %r3 = chlo.is_inf %x3 : tensor<2xbf16> -> tensor<2xi1>
  check.expect_eq_const %r3, dense<[true, false]> : tensor<2xi1>
  func.return
}
