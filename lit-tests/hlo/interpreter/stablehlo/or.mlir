// RUN: halo-run --backend=interpreter %s

// Values: numpy.bitwise_or.

func.func @main() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %b0 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r0 = stablehlo.or %a0, %b0 : tensor<4xi1>
  check.expect_eq_const %r0, dense<[false, true, true, true]> : tensor<4xi1>

  %a1 = stablehlo.constant dense<[12, -1, 0]> : tensor<3xi8>
  %b1 = stablehlo.constant dense<[10, 85, -128]> : tensor<3xi8>
  %r1 = stablehlo.or %a1, %b1 : tensor<3xi8>
  check.expect_eq_const %r1, dense<[14, -1, -128]> : tensor<3xi8>

  %a2 = stablehlo.constant dense<[240, 15, 255]> : tensor<3xui8>
  %b2 = stablehlo.constant dense<[60, 51, 129]> : tensor<3xui8>
  %r2 = stablehlo.or %a2, %b2 : tensor<3xui8>
  check.expect_eq_const %r2, dense<[252, 63, 255]> : tensor<3xui8>

  %a3 = stablehlo.constant dense<[-1, 12, 65535]> : tensor<3xi32>
  %b3 = stablehlo.constant dense<[255, 10, -65536]> : tensor<3xi32>
  %r3 = stablehlo.or %a3, %b3 : tensor<3xi32>
  check.expect_eq_const %r3, dense<[-1, 14, -1]> : tensor<3xi32>

  %a4 = stablehlo.constant dense<[4294901760]> : tensor<1xui32>
  %b4 = stablehlo.constant dense<[16776960]> : tensor<1xui32>
  %r4 = stablehlo.or %a4, %b4 : tensor<1xui32>
  check.expect_eq_const %r4, dense<[4294967040]> : tensor<1xui32>

  %a5 = stablehlo.constant dense<[-1, 6]> : tensor<2xi64>
  %b5 = stablehlo.constant dense<[1099511627776, 3]> : tensor<2xi64>
  %r5 = stablehlo.or %a5, %b5 : tensor<2xi64>
  check.expect_eq_const %r5, dense<[-1, 7]> : tensor<2xi64>

  %a6 = stablehlo.constant dense<[9223372036854775808, 6]> : tensor<2xui64>
  %b6 = stablehlo.constant dense<[9223372036854775808, 3]> : tensor<2xui64>
  %r6 = stablehlo.or %a6, %b6 : tensor<2xui64>
  check.expect_eq_const %r6, dense<[9223372036854775808, 7]> : tensor<2xui64>

  %a7 = stablehlo.constant dense<> : tensor<0xi1>
  %b7 = stablehlo.constant dense<> : tensor<0xi1>
  %r7 = stablehlo.or %a7, %b7 : tensor<0xi1>
  check.expect_eq_const %r7, dense<> : tensor<0xi1>
  func.return
}
