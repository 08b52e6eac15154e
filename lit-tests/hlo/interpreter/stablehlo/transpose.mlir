// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.transpose; the first is the example of the specification.

func.func @main() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %r0 = stablehlo.transpose %x0, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %r0, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xi32>

  %x1 = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %r1 = stablehlo.transpose %x1, dims = [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %r1, dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf64>

  %x2 = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]]]> : tensor<1x2x3xui8>
  %r2 = stablehlo.transpose %x2, dims = [1, 2, 0] : (tensor<1x2x3xui8>) -> tensor<2x3x1xui8>
  check.expect_eq_const %r2, dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xui8>

  %x3 = stablehlo.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1>
  %r3 = stablehlo.transpose %x3, dims = [1, 0] : (tensor<2x2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %r3, dense<[[true, false], [false, false]]> : tensor<2x2xi1>

  %x4 = stablehlo.constant dense<3.5> : tensor<f32>
  %r4 = stablehlo.transpose %x4, dims = [] : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %r4, dense<3.5> : tensor<f32>

  %x5 = stablehlo.constant dense<> : tensor<0x2xi64>
  %r5 = stablehlo.transpose %x5, dims = [1, 0] : (tensor<0x2xi64>) -> tensor<2x0xi64>
  check.expect_eq_const %r5, dense<> : tensor<2x0xi64>

  %x6 = stablehlo.constant dense<[[(0.0, 1.0), (2.0, 0.0)]]> : tensor<1x2xcomplex<f64>>
  %r6 = stablehlo.transpose %x6, dims = [1, 0]
      : (tensor<1x2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_eq_const %r6, dense<[[(0.0, 1.0)], [(2.0, 0.0)]]> : tensor<2x1xcomplex<f64>>
  func.return
}

func.func @quantized() {
  %x = stablehlo.constant dense<[[4], [-9]]> : tensor<2x1xi8>
  %q = stablehlo.bitcast_convert %x
      : (tensor<2x1xi8>) -> tensor<2x1x!quant.uniform<i8:f32:0, {0.5:1, 0.25:-3}>>
  %y = stablehlo.transpose %q, dims = [1, 0]
      : (tensor<2x1x!quant.uniform<i8:f32:0, {0.5:1, 0.25:-3}>>) -> tensor<1x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>
  %r = stablehlo.bitcast_convert %y
      : (tensor<1x2x!quant.uniform<i8:f32:1, {0.5:1, 0.25:-3}>>) -> tensor<1x2xi8>
  check.expect_eq_const %r, dense<[[4, -9]]> : tensor<1x2xi8>
  func.return
}
