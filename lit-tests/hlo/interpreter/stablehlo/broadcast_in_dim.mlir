// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.broadcast_to after a transposition.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %r0 = stablehlo.broadcast_in_dim %x0, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r0, dense<[[1, 1, 1], [2, 2, 2]]> : tensor<2x3xi32>

  %x1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r1 = stablehlo.broadcast_in_dim %x1, dims = [1] : (tensor<2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %r1, dense<[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf32>

  %x2 = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %r2 = stablehlo.broadcast_in_dim %x2, dims = [2, 1] : (tensor<1x3xi64>) -> tensor<2x3x1xi64>
  check.expect_eq_const %r2, dense<[[[1], [2], [3]], [[1], [2], [3]]]> : tensor<2x3x1xi64>

  %x3 = stablehlo.constant dense<true> : tensor<i1>
  %r3 = stablehlo.broadcast_in_dim %x3, dims = [] : (tensor<i1>) -> tensor<2x2xi1>
  check.expect_eq_const %r3, dense<true> : tensor<2x2xi1>

  %x4 = stablehlo.constant dense<[(1.0, 1.0), (0.0, 2.0)]> : tensor<2xcomplex<f64>>
  %r4 = stablehlo.broadcast_in_dim %x4, dims = [0]
      : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %r4, dense<[[(1.0, 1.0), (1.0, 1.0)], [(0.0, 2.0), (0.0, 2.0)]]> : tensor<2x2xcomplex<f64>>

  %x5 = stablehlo.constant dense<[[5.0, 6.0]]> : tensor<1x2xbf16>
  %r5 = stablehlo.broadcast_in_dim %x5, dims = [0, 2] : (tensor<1x2xbf16>) -> tensor<2x0x2xbf16>
  check.expect_eq_const %r5, dense<> : tensor<2x0x2xbf16>
  func.return
}

func.func @narrow() {
  %x = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %r = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2xi4>) -> tensor<2x2xi4>
  check.expect_eq_const %r, dense<[[-8, -8], [7, 7]]> : tensor<2x2xi4>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[4, -9]> : tensor<2xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.25:-3}>>
  %y = stablehlo.broadcast_in_dim %q, dims = [1]
      : (tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.25:-3}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>
  %r = stablehlo.bitcast_convert %y
      : (tensor<3x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>) -> tensor<3x2xi8>
  check.expect_eq_const %r, dense<[[4, -9], [4, -9], [4, -9]]> : tensor<3x2xi8>
  func.return
}
