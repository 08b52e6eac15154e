// RUN: halo-run --backend=interpreter %s

// Values: the formula of the specification with numpy.

func.func @main() {
  %x0 = stablehlo.constant dense<[-60.0, -0.25, 0.25, 1.5, 100.0]> : tensor<5xf32>
  %q0 = stablehlo.uniform_quantize %x0
      : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5:-10>>
  %r0 = stablehlo.bitcast_convert %q0 : (tensor<5x!quant.uniform<i8:f32, 0.5:-10>>) -> tensor<5xi8>
  check.expect_eq_const %r0, dense<[-128, -10, -10, -7, 127]> : tensor<5xi8>

  %x1 = stablehlo.constant dense<[-20.0, -0.05, 0.3, 12.0]> : tensor<4xf32>
  %q1 = stablehlo.uniform_quantize %x1
      : (tensor<4xf32>) -> tensor<4x!quant.uniform<u8:f32, 0.1:128>>
  %r1 = stablehlo.bitcast_convert %q1 : (tensor<4x!quant.uniform<u8:f32, 0.1:128>>) -> tensor<4xui8>
  check.expect_eq_const %r1, dense<[0, 128, 131, 248]> : tensor<4xui8>

  %x2 = stablehlo.constant dense<[-70000.0, 3.0, 5.0]> : tensor<3xf32>
  %q2 = stablehlo.uniform_quantize %x2 : (tensor<3xf32>) -> tensor<3x!quant.uniform<i16:f32, 2.0:0>>
  %r2 = stablehlo.bitcast_convert %q2 : (tensor<3x!quant.uniform<i16:f32, 2.0:0>>) -> tensor<3xi16>
  check.expect_eq_const %r2, dense<[-32768, 2, 2]> : tensor<3xi16>

  // One scale for each column.
  %x3 = stablehlo.constant dense<[[1.0, 1.0], [-2.0, 40.0]]> : tensor<2x2xf32>
  %q3 = stablehlo.uniform_quantize %x3
      : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>
  %r3 = stablehlo.bitcast_convert %q3
      : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>) -> tensor<2x2xi8>
  check.expect_eq_const %r3, dense<[[3, 1], [-3, 127]]> : tensor<2x2xi8>

  // From one scale to another.
  %x4 = stablehlo.constant dense<[-18, 100]> : tensor<2xi8>
  %p4 = stablehlo.bitcast_convert %x4 : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-20>>
  %q4 = stablehlo.uniform_quantize %p4
      : (tensor<2x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:4>>
  %r4 = stablehlo.bitcast_convert %q4 : (tensor<2x!quant.uniform<i8:f32, 0.25:4>>) -> tensor<2xi8>
  check.expect_eq_const %r4, dense<[8, 127]> : tensor<2xi8>
  func.return
}
