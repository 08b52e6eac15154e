// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.rint.

func.func @main() {
  %x0 = stablehlo.constant dense<[-2.5, -1.5, -0.5, -0.0, 0.5, 1.5, 2.5]> : tensor<7xf32>
  %r0 = stablehlo.round_nearest_even %x0 : tensor<7xf32>
  check.expect_eq_const %r0, dense<[-2.0, -2.0, -0.0, -0.0, 0.0, 2.0, 2.0]> : tensor<7xf32>
  %bits0 = stablehlo.bitcast_convert %r0 : (tensor<7xf32>) -> tensor<7xui32>
  check.expect_eq_const %bits0, dense<[3221225472, 3221225472, 2147483648, 2147483648, 0,
                                       1073741824, 1073741824]> : tensor<7xui32>

  %x1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 8.388609e6, 1.0e-45]> : tensor<5xf32>
  %r1 = stablehlo.round_nearest_even %x1 : tensor<5xf32>
  check.expect_eq_const %r1, dense<[0x7F800000, 0xFF800000, 0x7FC00000, 8.388609e6, 0.0]> : tensor<5xf32>

  %x2 = stablehlo.constant dense<[-0.9, 0.49999999999999994, 4503599627370498.0, -1.0e300]> : tensor<4xf64>
  %r2 = stablehlo.round_nearest_even %x2 : tensor<4xf64>
  check.expect_eq_const %r2, dense<[-1.0, 0.0, 4503599627370498.0, -1.0e300]> : tensor<4xf64>

  %x3 = stablehlo.constant dense<[0.3, -1.75, 1.0005e3]> : tensor<3xf16>
  %r3 = stablehlo.round_nearest_even %x3 : tensor<3xf16>
  check.expect_eq_const %r3, dense<[0.0, -2.0, 1.0e3]> : tensor<3xf16>

  %x4 = stablehlo.constant dense<[-0.69922, 3.5, 100.5]> : tensor<3xbf16>
  %r4 = stablehlo.round_nearest_even %x4 : tensor<3xbf16>
  check.expect_eq_const %r4, dense<[-1.0, 4.0, 100.0]> : tensor<3xbf16>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[-1.5, 0.25, 2.5]> : tensor<3xf8E4M3FN>
  %r0 = stablehlo.round_nearest_even %x0 : tensor<3xf8E4M3FN>
  check.expect_eq_const %r0, dense<[-2.0, 0.0, 2.0]> : tensor<3xf8E4M3FN>

  %x1 = stablehlo.constant dense<[1.25, -0.75, 3.5]> : tensor<3xf8E5M2>
  %r1 = stablehlo.round_nearest_even %x1 : tensor<3xf8E5M2>
  check.expect_eq_const %r1, dense<[1.0, -1.0, 4.0]> : tensor<3xf8E5M2>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[-20, -11, -10, -8, 6]> : tensor<5xi8>
  %q = stablehlo.bitcast_convert %x : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %y = stablehlo.round_nearest_even %q : tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %r = stablehlo.bitcast_convert %y : (tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<5xi8>
  check.expect_eq_const %r, dense<[-20, -10, -10, -8, 6]> : tensor<5xi8>
  func.return
}
