// RUN: halo-run --backend=interpreter %s

// Values: numpy.square.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.5, -3.0, 1.0e20, 0x7F800000, -0.0]> : tensor<5xf32>
  %r0 = chlo.square %x0 : tensor<5xf32> -> tensor<5xf32>
  check.expect_eq_const %r0, dense<[2.25, 9.0, 0x7F800000, 0x7F800000, 0.0]> : tensor<5xf32>
  %bits0 = stablehlo.bitcast_convert %r0 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %bits0, dense<[1074790400, 1091567616, 2139095040, 2139095040, 0]> : tensor<5xui32>

  %x1 = stablehlo.constant dense<[0.001, 7.0]> : tensor<2xf64>
  %r1 = chlo.square %x1 : tensor<2xf64> -> tensor<2xf64>
  check.expect_eq_const %r1, dense<[1.0e-6, 49.0]> : tensor<2xf64>

  %x2 = stablehlo.constant dense<[3.0, -0.5]> : tensor<2xbf16>
  %r2 = chlo.square %x2 : tensor<2xbf16> -> tensor<2xbf16>
  check.expect_eq_const %r2, dense<[9.0, 0.25]> : tensor<2xbf16>

  %x3 = stablehlo.constant dense<[300.0, 0.25]> : tensor<2xf16>
  %r3 = chlo.square %x3 : tensor<2xf16> -> tensor<2xf16>
  check.expect_eq_const %r3, dense<[0x7C00, 0.0625]> : tensor<2xf16>

  %x4 = stablehlo.constant dense<[(1.0, 2.0), (-0.0, -3.0)]> : tensor<2xcomplex<f32>>
  %r4 = chlo.square %x4 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  check.expect_eq_const %r4, dense<[(-3.0, 4.0), (-9.0, 0.0)]> : tensor<2xcomplex<f32>>
  func.return
}
