// RUN: halo-run --backend=interpreter %s

// Values: the product in Python, shifted right by the width.

func.func @main() {
  %a0 = stablehlo.constant dense<[127, -128, -128, 100]> : tensor<4xi8>
  %b0 = stablehlo.constant dense<[127, 127, -128, -3]> : tensor<4xi8>
  %r0 = chlo.mulhi %a0, %b0 : tensor<4xi8>, tensor<4xi8> -> tensor<4xi8>
  check.expect_eq_const %r0, dense<[63, -64, 64, -2]> : tensor<4xi8>

  %a1 = stablehlo.constant dense<[255, 16]> : tensor<2xui8>
  %b1 = stablehlo.constant dense<[255, 16]> : tensor<2xui8>
  %r1 = chlo.mulhi %a1, %b1 : tensor<2xui8>, tensor<2xui8> -> tensor<2xui8>
  check.expect_eq_const %r1, dense<[254, 1]> : tensor<2xui8>

  %a2 = stablehlo.constant dense<[-300, 32767]> : tensor<2xi16>
  %b2 = stablehlo.constant dense<[300, 32767]> : tensor<2xi16>
  %r2 = chlo.mulhi %a2, %b2 : tensor<2xi16>, tensor<2xi16> -> tensor<2xi16>
  check.expect_eq_const %r2, dense<[-2, 16383]> : tensor<2xi16>

  %a3 = stablehlo.constant dense<[65535]> : tensor<1xui16>
  %b3 = stablehlo.constant dense<[65535]> : tensor<1xui16>
  %r3 = chlo.mulhi %a3, %b3 : tensor<1xui16>, tensor<1xui16> -> tensor<1xui16>
  check.expect_eq_const %r3, dense<[65534]> : tensor<1xui16>

  %a4 = stablehlo.constant dense<[2147483647, -2147483648, 65536]> : tensor<3xi32>
  %b4 = stablehlo.constant dense<[2, -2147483648, 65537]> : tensor<3xi32>
  %r4 = chlo.mulhi %a4, %b4 : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  check.expect_eq_const %r4, dense<[0, 1073741824, 1]> : tensor<3xi32>

  %a5 = stablehlo.constant dense<[4294967295, 65536]> : tensor<2xui32>
  %b5 = stablehlo.constant dense<[4294967295, 65536]> : tensor<2xui32>
  %r5 = chlo.mulhi %a5, %b5 : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  check.expect_eq_const %r5, dense<[4294967294, 1]> : tensor<2xui32>

  %a6 = stablehlo.constant dense<[9223372036854775807, -1, 1099511627776]> : tensor<3xi64>
  %b6 = stablehlo.constant dense<[9223372036854775807, 1, 1073741824]> : tensor<3xi64>
  %r6 = chlo.mulhi %a6, %b6 : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
  check.expect_eq_const %r6, dense<[4611686018427387903, -1, 64]> : tensor<3xi64>

  %a7 = stablehlo.constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %b7 = stablehlo.constant dense<[0, 4]> : tensor<2xui64>
  %r7 = chlo.mulhi %a7, %b7 : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
  check.expect_eq_const %r7, dense<[0, 2]> : tensor<2xui64>
  func.return
}
