// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: what is written, read back through other ops.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %r0 = stablehlo.reshape %x0 : (tensor<2x2xi32>) -> tensor<4xi32>
  check.expect_eq_const %r0, dense<[1, 2, 3, 4]> : tensor<4xi32>

  // A splat.
  %x1 = stablehlo.constant dense<7> : tensor<3xui8>
  %r1 = stablehlo.convert %x1 : (tensor<3xui8>) -> tensor<3xi32>
  check.expect_eq_const %r1, dense<[7, 7, 7]> : tensor<3xi32>

  // Bytes, the least significant first.
  %x2 = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
  check.expect_eq_const %x2, dense<[1.0, -2.0]> : tensor<2xf32>

  // Bits.
  %x3 = stablehlo.constant dense<[0x7F800000, 0xFFC00000, 0x00000001]> : tensor<3xf32>
  %r3 = stablehlo.is_finite %x3 : (tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %r3, dense<[false, false, true]> : tensor<3xi1>

  %x4 = stablehlo.constant dense<[(1.0, -2.0), (0.0, 3.5)]> : tensor<2xcomplex<f64>>
  %r4 = stablehlo.imag %x4 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  check.expect_eq_const %r4, dense<[-2.0, 3.5]> : tensor<2xf64>

  %x5 = stablehlo.constant dense<true> : tensor<i1>
  %r5 = stablehlo.not %x5 : tensor<i1>
  check.expect_eq_const %r5, dense<false> : tensor<i1>

  %x6 = stablehlo.constant dense<> : tensor<0x2xi64>
  %r6 = stablehlo.transpose %x6, dims = [1, 0] : (tensor<0x2xi64>) -> tensor<2x0xi64>
  check.expect_eq_const %r6, dense<> : tensor<2x0xi64>

  %x7 = stablehlo.constant dense<[0.1, 1.0e-45, 65504.0]> : tensor<3xf16>
  %r7 = stablehlo.bitcast_convert %x7 : (tensor<3xf16>) -> tensor<3xui16>
  check.expect_eq_const %r7, dense<[11878, 0, 31743]> : tensor<3xui16>
  func.return
}

func.func @narrow() {
  %x0 = stablehlo.constant dense<[-2, 1, 0]> : tensor<3xi2>
  %r0 = stablehlo.convert %x0 : (tensor<3xi2>) -> tensor<3xi8>
  check.expect_eq_const %r0, dense<[-2, 1, 0]> : tensor<3xi8>

  %x1 = stablehlo.constant dense<[0.3, 448.0, -1.0e-3]> : tensor<3xf8E4M3FN>
  %r1 = stablehlo.convert %x1 : (tensor<3xf8E4M3FN>) -> tensor<3xf32>
  check.expect_eq_const %r1, dense<[0.3125, 448.0, -0.001953125]> : tensor<3xf32>
  func.return
}
