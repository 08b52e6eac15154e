// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.concatenate; the first is the example of the specification.

func.func @main() {
  %a0 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %b0 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %r0 = stablehlo.concatenate %a0, %b0, dim = 0
      : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<4x2xi64>
  check.expect_eq_const %r0, dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi64>

  %a1 = stablehlo.constant dense<[[1.5], [2.5]]> : tensor<2x1xf32>
  %b1 = stablehlo.constant dense<[[-0.0, 0x7FC00000], [0x7F800000, 4.0]]> : tensor<2x2xf32>
  %r1 = stablehlo.concatenate %a1, %b1, dim = 1
      : (tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %r1, dense<[[1.5, -0.0, 0x7FC00000], [2.5, 0x7F800000, 4.0]]> : tensor<2x3xf32>

  %a2 = stablehlo.constant dense<[true]> : tensor<1xi1>
  %b2 = stablehlo.constant dense<[false, false]> : tensor<2xi1>
  %c2 = stablehlo.constant dense<[true]> : tensor<1xi1>
  %r2 = stablehlo.concatenate %a2, %b2, %c2, dim = 0
      : (tensor<1xi1>, tensor<2xi1>, tensor<1xi1>) -> tensor<4xi1>
  check.expect_eq_const %r2, dense<[true, false, false, true]> : tensor<4xi1>

  %a3 = stablehlo.constant dense<> : tensor<0xui8>
  %b3 = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %r3 = stablehlo.concatenate %a3, %b3, dim = 0 : (tensor<0xui8>, tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %r3, dense<[255, 1]> : tensor<2xui8>

  %a4 = stablehlo.constant dense<[[(0.0, 1.0)]]> : tensor<1x1xcomplex<f32>>
  %b4 = stablehlo.constant dense<[[(2.0, 0.0)]]> : tensor<1x1xcomplex<f32>>
  %r4 = stablehlo.concatenate %a4, %b4, dim = 0
      : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_eq_const %r4, dense<[[(0.0, 1.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f32>>

  %a5 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %r5 = stablehlo.concatenate %a5, dim = 0 : (tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %r5, dense<[1.0, 2.0]> : tensor<2xbf16>
  func.return
}

func.func @narrow() {
  %a = stablehlo.constant dense<[-8, 1]> : tensor<2xi4>
  %b = stablehlo.constant dense<[7]> : tensor<1xi4>
  %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xi4>, tensor<1xi4>) -> tensor<3xi4>
  check.expect_eq_const %r, dense<[-8, 1, 7]> : tensor<3xi4>
  func.return
}
