// RUN: halo-run --backend=interpreter %s

// Values: numpy.nextafter, with the broadcasting of numpy.

func.func @main() {
  %a0 = stablehlo.constant dense<[[1.0], [1.0]]> : tensor<2x1xf32>
  %b0 = stablehlo.constant dense<[-1.0, 1.0, 0x7F800000]> : tensor<3xf32>
  %r0 = chlo.broadcast_next_after %a0, %b0 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %r0, dense<[[0.99999994, 1.0, 1.0000001], [0.99999994, 1.0, 1.0000001]]> : tensor<2x3xf32>

  %a1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %b1 = stablehlo.constant dense<[1.0, 0x7FC00000, 5.5, 0.0]> : tensor<4xf32>
  %r1 = chlo.broadcast_next_after %a1, %b1 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %r1, dense<0x7FC00000> : tensor<4xf32>

  %a2 = stablehlo.constant dense<[1.0, 0.0, -1.0]> : tensor<3xf64>
  %b2 = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf64>
  %r2 = chlo.broadcast_next_after %a2, %b2 : (tensor<3xf64>, tensor<1x1xf64>) -> tensor<1x3xf64>
  check.expect_eq_const %r2, dense<[[0.9999999999999999, 0.0, -0.9999999999999999]]> : tensor<1x3xf64>

  %a3 = stablehlo.constant dense<[[1.0], [0.0]]> : tensor<2x1xf16>
  %b3 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf16>
  %r3 = chlo.broadcast_next_after %a3, %b3 : (tensor<2x1xf16>, tensor<2xf16>) -> tensor<2x2xf16>
  check.expect_eq_const %r3, dense<[[1.001, 1.0], [6.0e-8, 6.0e-8]]> : tensor<2x2xf16>

  %a4 = stablehlo.constant dense<1.0> : tensor<bf16>
  %b4 = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xbf16>
  %r4 = chlo.broadcast_next_after %a4, %b4 : (tensor<bf16>, tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %r4, dense<[1.0078, 1.0]> : tensor<2xbf16>
  func.return
}
