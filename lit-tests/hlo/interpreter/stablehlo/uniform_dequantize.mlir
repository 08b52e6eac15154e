// RUN: halo-run --backend=interpreter %s

// Values: the formula of the specification with numpy.

func.func @main() {
  %x0 = stablehlo.constant dense<[-128, -10, -10, -7, 127]> : tensor<5xi8>
  %q0 = stablehlo.bitcast_convert %x0 : (tensor<5xi8>) -> tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %r0 = stablehlo.uniform_dequantize %q0
      : (tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<5xf32>
  check.expect_eq_const %r0, dense<[-59.0, 0.0, 0.0, 1.5, 68.5]> : tensor<5xf32>

  %x1 = stablehlo.constant dense<[0, 128, 131, 248]> : tensor<4xui8>
  %q1 = stablehlo.bitcast_convert %x1 : (tensor<4xui8>) -> tensor<4x!quant.uniform<u8:f32, 0.1:128>>
  %r1 = stablehlo.uniform_dequantize %q1
      : (tensor<4x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<4xf32>
  check.expect_eq_const %r1, dense<[-12.8, 0.0, 0.3, 12.0]> : tensor<4xf32>

  %x2 = stablehlo.constant dense<[-32768, 2, 2]> : tensor<3xi16>
  %q2 = stablehlo.bitcast_convert %x2 : (tensor<3xi16>) -> tensor<3x!quant.uniform<i16:f32, 2.0:0>>
  %r2 = stablehlo.uniform_dequantize %q2
      : (tensor<3x!quant.uniform<i16:f32, 2.0:0>>) -> tensor<3xf32>
  check.expect_eq_const %r2, dense<[-65536.0, 4.0, 4.0]> : tensor<3xf32>

  // One scale for each column.
  %x3 = stablehlo.constant dense<[[3, 1], [-3, 127]]> : tensor<2x2xi8>
  %q3 = stablehlo.bitcast_convert %x3
      : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>
  %r3 = stablehlo.uniform_dequantize %q3
      : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>) -> tensor<2x2xf32>
  check.expect_eq_const %r3, dense<[[1.0, 1.0], [-2.0, 32.5]]> : tensor<2x2xf32>
  func.return
}
