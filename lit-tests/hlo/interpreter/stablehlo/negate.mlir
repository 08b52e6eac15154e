// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.negative; integers wrap around.

func.func @main() {
  %x0 = stablehlo.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %r0 = stablehlo.negate %x0 : tensor<5xi8>
  check.expect_eq_const %r0, dense<[-128, 1, 0, -1, -127]> : tensor<5xi8>

  %x1 = stablehlo.constant dense<[0, 1, 255]> : tensor<3xui8>
  %r1 = stablehlo.negate %x1 : tensor<3xui8>
  check.expect_eq_const %r1, dense<[0, 255, 1]> : tensor<3xui8>

  %x2 = stablehlo.constant dense<[-2147483648, -7, 0, 7, 2147483647]> : tensor<5xi32>
  %r2 = stablehlo.negate %x2 : tensor<5xi32>
  check.expect_eq_const %r2, dense<[-2147483648, 7, 0, -7, -2147483647]> : tensor<5xi32>

  %x3 = stablehlo.constant dense<[-9223372036854775808, -42, 0, 9223372036854775807]> : tensor<4xi64>
  %r3 = stablehlo.negate %x3 : tensor<4xi64>
  check.expect_eq_const %r3, dense<[-9223372036854775808, 42, 0, -9223372036854775807]> : tensor<4xi64>

  %x4 = stablehlo.constant dense<[0, 1, 0]> : tensor<3xui64>
  %r4 = stablehlo.negate %x4 : tensor<3xui64>
  check.expect_eq_const %r4, dense<[0, 18446744073709551615, 0]> : tensor<3xui64>

  %x5 = stablehlo.constant dense<[0xFF800000, -2.5, -0.0, 0.0, 1.5, 0x7F800000]> : tensor<6xf32>
  %r5 = stablehlo.negate %x5 : tensor<6xf32>
  check.expect_eq_const %r5, dense<[0x7F800000, 2.5, 0.0, -0.0, -1.5, 0xFF800000]> : tensor<6xf32>
  %bits5 = stablehlo.bitcast_convert %r5 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %bits5, dense<[2139095040, 1075838976, 0, 2147483648, 3217031168,
                                       4286578688]> : tensor<6xui32>

  %x6 = stablehlo.constant dense<[1.5, -0.0]> : tensor<2xf64>
  %r6 = stablehlo.negate %x6 : tensor<2xf64>
  check.expect_eq_const %r6, dense<[-1.5, 0.0]> : tensor<2xf64>
  %bits6 = stablehlo.bitcast_convert %r6 : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits6, dense<[13832806255468478464, 0]> : tensor<2xui64>

  %x7 = stablehlo.constant dense<[0.0, -2.0]> : tensor<2xbf16>
  %r7 = stablehlo.negate %x7 : tensor<2xbf16>
  check.expect_eq_const %r7, dense<[-0.0, 2.0]> : tensor<2xbf16>
  %bits7 = stablehlo.bitcast_convert %r7 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %bits7, dense<[32768, 16384]> : tensor<2xui16>

  %x8 = stablehlo.constant dense<[0x7C00, 0x7E00]> : tensor<2xf16>
  %r8 = stablehlo.negate %x8 : tensor<2xf16>
  check.expect_eq_const %r8, dense<[0xFC00, 0x7E00]> : tensor<2xf16>

  %x9 = stablehlo.constant dense<[(1.0, -2.0), (-0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r9 = stablehlo.negate %x9 : tensor<2xcomplex<f32>>
  check.expect_eq_const %r9, dense<[(-1.0, 2.0), (0.0, -0.0)]> : tensor<2xcomplex<f32>>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[-8, 3]> : tensor<2xi4>
  %r0 = stablehlo.negate %x0 : tensor<2xi4>
  check.expect_eq_const %r0, dense<[-8, -3]> : tensor<2xi4>

  %x1 = stablehlo.constant dense<[-1.5, 448.0]> : tensor<2xf8E4M3FN>
  %r1 = stablehlo.negate %x1 : tensor<2xf8E4M3FN>
  check.expect_eq_const %r1, dense<[1.5, -448.0]> : tensor<2xf8E4M3FN>

  %x2 = stablehlo.constant dense<[0.5, 0x7C]> : tensor<2xf8E5M2>
  %r2 = stablehlo.negate %x2 : tensor<2xf8E5M2>
  check.expect_eq_const %r2, dense<[-0.5, 0xFC]> : tensor<2xf8E5M2>

  %x3 = stablehlo.constant dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
  %r3 = stablehlo.negate %x3 : tensor<2xf4E2M1FN>
  check.expect_eq_const %r3, dense<[-6.0, 0.5]> : tensor<2xf4E2M1FN>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-128, -5, 0, 127]> : tensor<4xi8>
  %q = stablehlo.bitcast_convert %x : (tensor<4xi8>) -> tensor<4x!quant.uniform<i8:f32, 0.5:0>>
  %y = stablehlo.negate %q : tensor<4x!quant.uniform<i8:f32, 0.5:0>>
  %r = stablehlo.bitcast_convert %y : (tensor<4x!quant.uniform<i8:f32, 0.5:0>>) -> tensor<4xi8>
  check.expect_eq_const %r, dense<[127, 5, 0, -127]> : tensor<4xi8>
  func.return
}
