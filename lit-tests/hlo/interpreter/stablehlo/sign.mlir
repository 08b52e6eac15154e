// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.sign; zeros keep their sign, complex numbers come to the unit circle.

func.func @main() {
  %x0 = stablehlo.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %r0 = stablehlo.sign %x0 : tensor<5xi8>
  check.expect_eq_const %r0, dense<[-1, -1, 0, 1, 1]> : tensor<5xi8>

  %x1 = stablehlo.constant dense<[-2147483648, -7, 0, 7, 2147483647]> : tensor<5xi32>
  %r1 = stablehlo.sign %x1 : tensor<5xi32>
  check.expect_eq_const %r1, dense<[-1, -1, 0, 1, 1]> : tensor<5xi32>

  %x2 = stablehlo.constant dense<[-9223372036854775808, -42, 0, 9223372036854775807]> : tensor<4xi64>
  %r2 = stablehlo.sign %x2 : tensor<4xi64>
  check.expect_eq_const %r2, dense<[-1, -1, 0, 1]> : tensor<4xi64>

  %x3 = stablehlo.constant dense<[0xFF800000, -2.5, -0.0, 0.0, 1.5, 0x7F800000]> : tensor<6xf32>
  %r3 = stablehlo.sign %x3 : tensor<6xf32>
  check.expect_eq_const %r3, dense<[-1.0, -1.0, -0.0, 0.0, 1.0, 1.0]> : tensor<6xf32>
  %bits3 = stablehlo.bitcast_convert %r3 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %bits3, dense<[3212836864, 3212836864, 2147483648, 0, 1065353216,
                                       1065353216]> : tensor<6xui32>

  %x4 = stablehlo.constant dense<[-5.0e-324, 1.0e308, 0x7FF8000000000000]> : tensor<3xf64>
  %r4 = stablehlo.sign %x4 : tensor<3xf64>
  check.expect_eq_const %r4, dense<[-1.0, 1.0, 0x7FF8000000000000]> : tensor<3xf64>

  %x5 = stablehlo.constant dense<[-7.0, -0.0, 2.0]> : tensor<3xbf16>
  %r5 = stablehlo.sign %x5 : tensor<3xbf16>
  check.expect_eq_const %r5, dense<[-1.0, -0.0, 1.0]> : tensor<3xbf16>
  %bits5 = stablehlo.bitcast_convert %r5 : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %bits5, dense<[49024, 32768, 16256]> : tensor<3xui16>

  %x6 = stablehlo.constant dense<[0.1, 0xFC00, 0x7E00]> : tensor<3xf16>
  %r6 = stablehlo.sign %x6 : tensor<3xf16>
  check.expect_eq_const %r6, dense<[1.0, -1.0, 0x7E00]> : tensor<3xf16>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[-8, 0, 7]> : tensor<3xi4>
  %r0 = stablehlo.sign %x0 : tensor<3xi4>
  check.expect_eq_const %r0, dense<[-1, 0, 1]> : tensor<3xi4>

  %x1 = stablehlo.constant dense<[-448.0, 0.0, 0.25]> : tensor<3xf8E4M3FN>
  %r1 = stablehlo.sign %x1 : tensor<3xf8E4M3FN>
  check.expect_eq_const %r1, dense<[-1.0, 0.0, 1.0]> : tensor<3xf8E4M3FN>

  %x2 = stablehlo.constant dense<[-0.0, 4.0]> : tensor<2xf8E5M2>
  %r2 = stablehlo.sign %x2 : tensor<2xf8E5M2>
  check.expect_eq_const %r2, dense<[-0.0, 1.0]> : tensor<2xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-20, -11, -10, -8, 6]> : tensor<5xi8>
  %q = stablehlo.bitcast_convert %x : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %y = stablehlo.sign %q
      : (tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<5x!quant.uniform<i8:f32, 0.5:0>>
  %r = stablehlo.bitcast_convert %y : (tensor<5x!quant.uniform<i8:f32, 0.5:0>>) -> tensor<5xi8>
  check.expect_eq_const %r, dense<[-2, -2, 0, 2, 2]> : tensor<5xi8>
  func.return
}
