// RUN: halo-run --backend=interpreter %s

// Values: << in Python, cut to the width; by the width or more all bits are shifted out.

func.func @main() {
  %a0 = stablehlo.constant dense<[-128, 127, -3, 5, -7]> : tensor<5xi8>
  %b0 = stablehlo.constant dense<[1, 3, 7, 8, -1]> : tensor<5xi8>
  %r0 = stablehlo.shift_left %a0, %b0 : tensor<5xi8>
  check.expect_eq_const %r0, dense<[0, -8, -128, 0, 0]> : tensor<5xi8>

  %a1 = stablehlo.constant dense<[255, 129, 6, 9]> : tensor<4xui8>
  %b1 = stablehlo.constant dense<[4, 1, 8, 200]> : tensor<4xui8>
  %r1 = stablehlo.shift_left %a1, %b1 : tensor<4xui8>
  check.expect_eq_const %r1, dense<[240, 2, 0, 0]> : tensor<4xui8>

  %a2 = stablehlo.constant dense<[-2147483648, 1, -5, 1000]> : tensor<4xi32>
  %b2 = stablehlo.constant dense<[31, 4, 1, 32]> : tensor<4xi32>
  %r2 = stablehlo.shift_left %a2, %b2 : tensor<4xi32>
  check.expect_eq_const %r2, dense<[0, 16, -10, 0]> : tensor<4xi32>

  %a3 = stablehlo.constant dense<[4294967295, 3]> : tensor<2xui32>
  %b3 = stablehlo.constant dense<[16, 31]> : tensor<2xui32>
  %r3 = stablehlo.shift_left %a3, %b3 : tensor<2xui32>
  check.expect_eq_const %r3, dense<[4294901760, 2147483648]> : tensor<2xui32>

  %a4 = stablehlo.constant dense<[-1, 1, 77]> : tensor<3xi64>
  %b4 = stablehlo.constant dense<[63, 40, 64]> : tensor<3xi64>
  %r4 = stablehlo.shift_left %a4, %b4 : tensor<3xi64>
  check.expect_eq_const %r4, dense<[-9223372036854775808, 1099511627776, 0]> : tensor<3xi64>

  %a5 = stablehlo.constant dense<[9223372036854775808, 5]> : tensor<2xui64>
  %b5 = stablehlo.constant dense<[3, 62]> : tensor<2xui64>
  %r5 = stablehlo.shift_left %a5, %b5 : tensor<2xui64>
  check.expect_eq_const %r5, dense<[0, 4611686018427387904]> : tensor<2xui64>
  func.return
}
