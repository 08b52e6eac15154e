// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: numpy.ndarray.view, little-endian.

func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>
  %r0 = stablehlo.bitcast_convert %x0 : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %r0, dense<[1065353216, -2147483648, 2139095040]> : tensor<3xi32>

  %x1 = stablehlo.constant dense<[1065353216, -2147483648]> : tensor<2xi32>
  %r1 = stablehlo.bitcast_convert %x1 : (tensor<2xi32>) -> tensor<2xf32>
  check.expect_eq_const %r1, dense<[1.0, -0.0]> : tensor<2xf32>
  %bits1 = stablehlo.bitcast_convert %r1 : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits1, dense<[1065353216, 2147483648]> : tensor<2xui32>

  %x2 = stablehlo.constant dense<[1.0, 2.5]> : tensor<2xf32>
  %r2 = stablehlo.bitcast_convert %x2 : (tensor<2xf32>) -> tensor<2x4xui8>
  check.expect_eq_const %r2, dense<[[0, 0, 128, 63], [0, 0, 32, 64]]> : tensor<2x4xui8>

  %x3 = stablehlo.constant dense<[[1, 2, 3, 4], [255, 255, 255, 255]]> : tensor<2x4xui8>
  %r3 = stablehlo.bitcast_convert %x3 : (tensor<2x4xui8>) -> tensor<2xi32>
  check.expect_eq_const %r3, dense<[67305985, -1]> : tensor<2xi32>

  %x4 = stablehlo.constant dense<[4294967297, -1]> : tensor<2xi64>
  %r4 = stablehlo.bitcast_convert %x4 : (tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %r4, dense<[[1, 1], [-1, -1]]> : tensor<2x2xi32>

  %x5 = stablehlo.constant dense<[1.5]> : tensor<1xf64>
  %r5 = stablehlo.bitcast_convert %x5 : (tensor<1xf64>) -> tensor<1xui64>
  check.expect_eq_const %r5, dense<[4609434218613702656]> : tensor<1xui64>

  %x6 = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xbf16>
  %r6 = stablehlo.bitcast_convert %x6 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %r6, dense<[16256, 49152]> : tensor<2xui16>

  %x7 = stablehlo.constant dense<[1.0, 0x7E00]> : tensor<2xf16>
  %r7 = stablehlo.bitcast_convert %x7 : (tensor<2xf16>) -> tensor<2xi16>
  check.expect_eq_const %r7, dense<[15360, 32256]> : tensor<2xi16>

  %x8 = stablehlo.constant dense<[-1, 5]> : tensor<2xi8>
  %r8 = stablehlo.bitcast_convert %x8 : (tensor<2xi8>) -> tensor<2xui8>
  check.expect_eq_const %r8, dense<[255, 5]> : tensor<2xui8>
  func.return
}

func.func @narrow() {
  // The lower bits come first.
  %x0 = stablehlo.constant dense<[33, -1]> : tensor<2xi8>
  %r0 = stablehlo.bitcast_convert %x0 : (tensor<2xi8>) -> tensor<2x2xi4>
  check.expect_eq_const %r0, dense<[[1, 2], [-1, -1]]> : tensor<2x2xi4>

  %x1 = stablehlo.constant dense<[0.5, 448.0, -1.0]> : tensor<3xf8E4M3FN>
  %r1 = stablehlo.bitcast_convert %x1 : (tensor<3xf8E4M3FN>) -> tensor<3xui8>
  check.expect_eq_const %r1, dense<[48, 126, 184]> : tensor<3xui8>
  func.return
}
