// RUN: halo-run --backend=interpreter %s

// Values: numpy.invert.

func.func @main() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %r0 = stablehlo.not %x0 : tensor<2xi1>
  check.expect_eq_const %r0, dense<[false, true]> : tensor<2xi1>

  %x1 = stablehlo.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %r1 = stablehlo.not %x1 : tensor<5xi8>
  check.expect_eq_const %r1, dense<[127, 0, -1, -2, -128]> : tensor<5xi8>

  %x2 = stablehlo.constant dense<[0, 1, 240, 255]> : tensor<4xui8>
  %r2 = stablehlo.not %x2 : tensor<4xui8>
  check.expect_eq_const %r2, dense<[255, 254, 15, 0]> : tensor<4xui8>

  %x3 = stablehlo.constant dense<[-2147483648, -7, 0, 7, 2147483647]> : tensor<5xi32>
  %r3 = stablehlo.not %x3 : tensor<5xi32>
  check.expect_eq_const %r3, dense<[2147483647, 6, -1, -8, -2147483648]> : tensor<5xi32>

  %x4 = stablehlo.constant dense<[0, 4294967295, 65535]> : tensor<3xui32>
  %r4 = stablehlo.not %x4 : tensor<3xui32>
  check.expect_eq_const %r4, dense<[4294967295, 0, 4294901760]> : tensor<3xui32>

  %x5 = stablehlo.constant dense<[-9223372036854775808, -42, 0, 9223372036854775807]> : tensor<4xi64>
  %r5 = stablehlo.not %x5 : tensor<4xi64>
  check.expect_eq_const %r5, dense<[9223372036854775807, 41, -1, -9223372036854775808]> : tensor<4xi64>

  %x6 = stablehlo.constant dense<[0, 1]> : tensor<2xui64>
  %r6 = stablehlo.not %x6 : tensor<2xui64>
  check.expect_eq_const %r6, dense<[18446744073709551615, 18446744073709551614]> : tensor<2xui64>
  func.return
}
