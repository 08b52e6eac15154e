// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: numpy.einsum; the first is the example of the specification.

func.func @main() {
  %a0 = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %b0 = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %r0 = stablehlo.dot_general %a0, %b0, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %r0, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>

  %a1 = stablehlo.constant dense<[[4.0, 1.0, 2.0], [4.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %b1 = stablehlo.constant dense<[[3.0, -2.0], [-4.0, -2.0], [-2.0, 3.0]]> : tensor<3x2xf32>
  %r1 = stablehlo.dot_general %a1, %b1, contracting_dims = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r1, dense<[[4.0, -4.0], [4.0, -4.0]]> : tensor<2x2xf32>

  %a2 = stablehlo.constant dense<[[4.0, -4.0], [0.0, 3.0], [-3.0, 3.0]]> : tensor<3x2xf64>
  %b2 = stablehlo.constant dense<[[-3.0, 0.0, 3.0], [-2.0, -1.0, -2.0]]> : tensor<2x3xf64>
  %r2 = stablehlo.dot_general %a2, %b2, contracting_dims = [0] x [1]
      : (tensor<3x2xf64>, tensor<2x3xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %r2, dense<[[-21.0, -2.0], [21.0, -1.0]]> : tensor<2x2xf64>

  %a3 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %b3 = stablehlo.constant dense<[[3], [4]]> : tensor<2x1xi32>
  %r3 = stablehlo.dot_general %a3, %b3, contracting_dims = [] x []
      : (tensor<1x2xi32>, tensor<2x1xi32>) -> tensor<1x2x2x1xi32>
  check.expect_eq_const %r3, dense<[[[[3], [4]], [[6], [8]]]]> : tensor<1x2x2x1xi32>

  %a4 = stablehlo.constant dense<[[[2, -2], [4, 0], [0, 0]], [[1, 0], [0, 4], [3, 3]]]> : tensor<2x3x2xi32>
  %b4 = stablehlo.constant dense<[[[2], [1]], [[-1], [4]], [[0], [-3]]]> : tensor<3x2x1xi32>
  %r4 = stablehlo.dot_general %a4, %b4, batching_dims = [0] x [1], contracting_dims = [1] x [0]
      : (tensor<2x3x2xi32>, tensor<3x2x1xi32>) -> tensor<2x2x1xi32>
  check.expect_eq_const %r4, dense<[[[0], [-4]], [[-8], [7]]]> : tensor<2x2x1xi32>

  %a5 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %b5 = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xbf16>
  %r5 = stablehlo.dot_general %a5, %b5, contracting_dims = [0] x [0]
      : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<bf16>
  check.expect_eq_const %r5, dense<32.0> : tensor<bf16>

  %a6 = stablehlo.constant dense<[[3.0, -3.0], [3.0, 1.0]]> : tensor<2x2xf16>
  %b6 = stablehlo.constant dense<[[-3.0, -4.0], [0.0, -4.0]]> : tensor<2x2xf16>
  %r6 = stablehlo.dot_general %a6, %b6, contracting_dims = [0, 1] x [0, 1]
      : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<f16>
  check.expect_eq_const %r6, dense<-1.0> : tensor<f16>

  %a7 = stablehlo.constant dense<[(1.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %b7 = stablehlo.constant dense<[(0.0, 1.0), (3.0, -1.0)]> : tensor<2xcomplex<f64>>
  %r7 = stablehlo.dot_general %a7, %b7, contracting_dims = [0] x [0]
      : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<complex<f64>>
  check.expect_eq_const %r7, dense<(5.0, -1.0)> : tensor<complex<f64>>

  // A wider result.
  %a8 = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %b8 = stablehlo.constant dense<[100, -50]> : tensor<2xi8>
  %r8 = stablehlo.dot_general %a8, %b8, contracting_dims = [0] x [0]
      : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %r8, dense<5000> : tensor<i32>

  %a9 = stablehlo.constant dense<> : tensor<2x0xf32>
  %b9 = stablehlo.constant dense<> : tensor<0x2xf32>
  %r9 = stablehlo.dot_general %a9, %b9, contracting_dims = [1] x [0]
      : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %r9, dense<0.0> : tensor<2x2xf32>
  func.return
}

func.func @narrow() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0], [0.5, -1.0]]> : tensor<2x2xf8E4M3FN>
  %b0 = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xf8E4M3FN>
  %r0 = stablehlo.dot_general %a0, %b0, contracting_dims = [1] x [0]
      : (tensor<2x2xf8E4M3FN>, tensor<2x1xf8E4M3FN>) -> tensor<2x1xf32>
  check.expect_eq_const %r0, dense<[[7.0], [-2.5]]> : tensor<2x1xf32>

  %a1 = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %b1 = stablehlo.constant dense<[7, 7]> : tensor<2xi4>
  %r1 = stablehlo.dot_general %a1, %b1, contracting_dims = [0] x [0]
      : (tensor<2xi4>, tensor<2xi4>) -> tensor<i32>
  check.expect_eq_const %r1, dense<-7> : tensor<i32>
  func.return
}

func.func @quantized() {
  %a = stablehlo.constant dense<[[4, 6], [2, -10]]> : tensor<2x2xi8>
  %b = stablehlo.constant dense<[[4], [-8]]> : tensor<2x1xi8>
  %p = stablehlo.bitcast_convert %a : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:2>>
  %q = stablehlo.bitcast_convert %b : (tensor<2x1xi8>) -> tensor<2x1x!quant.uniform<i8:f32, 0.25:0>>
  %d = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0]
      : (tensor<2x2x!quant.uniform<i8:f32, 0.5:2>>, tensor<2x1x!quant.uniform<i8:f32, 0.25:0>>) -> tensor<2x1x!quant.uniform<i32:f32, 0.125:0>>
  %r = stablehlo.bitcast_convert %d
      : (tensor<2x1x!quant.uniform<i32:f32, 0.125:0>>) -> tensor<2x1xi32>
  check.expect_eq_const %r, dense<[[-24], [96]]> : tensor<2x1xi32>
  func.return
}
