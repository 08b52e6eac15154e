// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.abs; hypot for complex numbers. The least integer stays as it is.

func.func @main() {
  %x0 = stablehlo.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %r0 = stablehlo.abs %x0 : tensor<5xi8>
  check.expect_eq_const %r0, dense<[-128, 1, 0, 1, 127]> : tensor<5xi8>

  %x1 = stablehlo.constant dense<[-2147483648, -7, 0, 7, 2147483647]> : tensor<5xi32>
  %r1 = stablehlo.abs %x1 : tensor<5xi32>
  check.expect_eq_const %r1, dense<[-2147483648, 7, 0, 7, 2147483647]> : tensor<5xi32>

  %x2 = stablehlo.constant dense<[-9223372036854775808, -42, 0, 9223372036854775807]> : tensor<4xi64>
  %r2 = stablehlo.abs %x2 : tensor<4xi64>
  check.expect_eq_const %r2, dense<[-9223372036854775808, 42, 0, 9223372036854775807]> : tensor<4xi64>

  %x3 = stablehlo.constant dense<[0xFF800000, -2.5, -0.0, 0.0, 1.5, 0x7F800000]> : tensor<6xf32>
  %r3 = stablehlo.abs %x3 : tensor<6xf32>
  check.expect_eq_const %r3, dense<[0x7F800000, 2.5, 0.0, 0.0, 1.5, 0x7F800000]> : tensor<6xf32>
  %bits3 = stablehlo.bitcast_convert %r3 : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %bits3, dense<[2139095040, 1075838976, 0, 0, 1069547520, 2139095040]> : tensor<6xui32>

  %x4 = stablehlo.constant dense<[-1.0e308, -0.0, 5.0e-324]> : tensor<3xf64>
  %r4 = stablehlo.abs %x4 : tensor<3xf64>
  check.expect_eq_const %r4, dense<[1.0e308, 0.0, 5.0e-324]> : tensor<3xf64>

  %x5 = stablehlo.constant dense<[-3.5, -0.0, 0x7F80]> : tensor<3xbf16>
  %r5 = stablehlo.abs %x5 : tensor<3xbf16>
  check.expect_eq_const %r5, dense<[3.5, 0.0, 0x7F80]> : tensor<3xbf16>
  %bits5 = stablehlo.bitcast_convert %r5 : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %bits5, dense<[16480, 0, 32640]> : tensor<3xui16>

  %x6 = stablehlo.constant dense<[-6.55e4, 0x7E00, 0.5]> : tensor<3xf16>
  %r6 = stablehlo.abs %x6 : tensor<3xf16>
  check.expect_eq_const %r6, dense<[6.55e4, 0x7E00, 0.5]> : tensor<3xf16>

  %x7 = stablehlo.constant dense<[(3.0, 4.0), (-5.0, 12.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r7 = stablehlo.abs %x7 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  check.expect_eq_const %r7, dense<[5.0, 13.0, 0.0]> : tensor<3xf32>

  %x8 = stablehlo.constant dense<[(-8.0, -15.0), (0x7FF0000000000000, 0x7FF8000000000000)]> : tensor<2xcomplex<f64>>
  %r8 = stablehlo.abs %x8 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %r8, dense<[17.0, 0x7FF0000000000000]> : tensor<2xf64>

  %x9 = stablehlo.constant dense<> : tensor<0x2xf32>
  %r9 = stablehlo.abs %x9 : tensor<0x2xf32>
  check.expect_eq_const %r9, dense<> : tensor<0x2xf32>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[-7, 0, 7]> : tensor<3xi4>
  %r0 = stablehlo.abs %x0 : tensor<3xi4>
  check.expect_eq_const %r0, dense<[7, 0, 7]> : tensor<3xi4>

  %x1 = stablehlo.constant dense<[-1, 1]> : tensor<2xi2>
  %r1 = stablehlo.abs %x1 : tensor<2xi2>
  check.expect_eq_const %r1, dense<[1, 1]> : tensor<2xi2>

  %x2 = stablehlo.constant dense<[-448.0, -0.5, 1.5]> : tensor<3xf8E4M3FN>
  %r2 = stablehlo.abs %x2 : tensor<3xf8E4M3FN>
  check.expect_eq_const %r2, dense<[448.0, 0.5, 1.5]> : tensor<3xf8E4M3FN>

  %x3 = stablehlo.constant dense<[-57344.0, 2.0, 0xFC]> : tensor<3xf8E5M2>
  %r3 = stablehlo.abs %x3 : tensor<3xf8E5M2>
  check.expect_eq_const %r3, dense<[57344.0, 2.0, 0x7C]> : tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-20, -11, -10, -8, 6]> : tensor<5xi8>
  %q = stablehlo.bitcast_convert %x : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %y = stablehlo.abs %q : tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %r = stablehlo.bitcast_convert %y : (tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<5xi8>
  check.expect_eq_const %r, dense<[0, -9, -10, -8, 6]> : tensor<5xi8>
  func.return
}
