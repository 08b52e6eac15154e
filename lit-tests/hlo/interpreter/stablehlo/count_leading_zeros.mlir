// RUN: halo-run --backend=interpreter %s

// Values: int.bit_length of Python.

func.func @main() {
  %x0 = stablehlo.constant dense<[-128, -1, 0, 1, 64]> : tensor<5xi8>
  %r0 = stablehlo.count_leading_zeros %x0 : tensor<5xi8>
  check.expect_eq_const %r0, dense<[0, 0, 8, 7, 1]> : tensor<5xi8>

  %x1 = stablehlo.constant dense<[0, 1, 127, 255]> : tensor<4xui8>
  %r1 = stablehlo.count_leading_zeros %x1 : tensor<4xui8>
  check.expect_eq_const %r1, dense<[8, 7, 1, 0]> : tensor<4xui8>

  %x2 = stablehlo.constant dense<[-1, 0, 300]> : tensor<3xi16>
  %r2 = stablehlo.count_leading_zeros %x2 : tensor<3xi16>
  check.expect_eq_const %r2, dense<[0, 16, 7]> : tensor<3xi16>

  %x3 = stablehlo.constant dense<[-5, 0, 1, 65535, 2147483647]> : tensor<5xi32>
  %r3 = stablehlo.count_leading_zeros %x3 : tensor<5xi32>
  check.expect_eq_const %r3, dense<[0, 32, 31, 16, 1]> : tensor<5xi32>

  %x4 = stablehlo.constant dense<[0, 4294967295, 65536]> : tensor<3xui32>
  %r4 = stablehlo.count_leading_zeros %x4 : tensor<3xui32>
  check.expect_eq_const %r4, dense<[32, 0, 15]> : tensor<3xui32>

  %x5 = stablehlo.constant dense<[-1, 0, 4294967296]> : tensor<3xi64>
  %r5 = stablehlo.count_leading_zeros %x5 : tensor<3xi64>
  check.expect_eq_const %r5, dense<[0, 64, 31]> : tensor<3xi64>

  %x6 = stablehlo.constant dense<[0, 9223372036854775808, 3]> : tensor<3xui64>
  %r6 = stablehlo.count_leading_zeros %x6 : tensor<3xui64>
  check.expect_eq_const %r6, dense<[64, 0, 62]> : tensor<3xui64>
  func.return
}
