// RUN: halo-run --backend=interpreter %s

// Values: numpy.argsort, stable, of what is negated.

func.func @main() {
  %x0 = stablehlo.constant dense<[3, 1, 4, 1, 5]> : tensor<5xi32>
  %v0, %i0 = chlo.top_k(%x0, k = 3) : tensor<5xi32> -> (tensor<3xi32>, tensor<3xi32>)
  check.expect_eq_const %v0, dense<[5, 4, 3]> : tensor<3xi32>
  check.expect_eq_const %i0, dense<[4, 2, 0]> : tensor<3xi32>

  %x1 = stablehlo.constant dense<[[0.5, 2.0, -1.0], [7.0, 7.0, 8.0]]> : tensor<2x3xf32>
  %v1, %i1 = chlo.top_k(%x1, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %v1, dense<[[2.0, 0.5], [8.0, 7.0]]> : tensor<2x2xf32>
  check.expect_eq_const %i1, dense<[[1, 0], [2, 0]]> : tensor<2x2xi32>

  %x2 = stablehlo.constant dense<[200, 3, 100]> : tensor<3xui8>
  %v2, %i2 = chlo.top_k(%x2, k = 1) : tensor<3xui8> -> (tensor<1xui8>, tensor<1xi32>)
  check.expect_eq_const %v2, dense<[200]> : tensor<1xui8>
  check.expect_eq_const %i2, dense<[0]> : tensor<1xi32>

  %x3 = stablehlo.constant dense<[1.5, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<3xf64>
  %v3, %i3 = chlo.top_k(%x3, k = 3) : tensor<3xf64> -> (tensor<3xf64>, tensor<3xi32>)
  check.expect_eq_const %v3, dense<[0x7FF0000000000000, 1.5, 0xFFF0000000000000]> : tensor<3xf64>
  check.expect_eq_const %i3, dense<[1, 0, 2]> : tensor<3xi32>

  %x4 = stablehlo.constant dense<[2.0, 3.0, 3.0, 1.0]> : tensor<4xbf16>
  %v4, %i4 = chlo.top_k(%x4, k = 2) : tensor<4xbf16> -> (tensor<2xbf16>, tensor<2xi32>)
  check.expect_eq_const %v4, dense<[3.0, 3.0]> : tensor<2xbf16>
  check.expect_eq_const %i4, dense<[1, 2]> : tensor<2xi32>

  %x5 = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
  %v5, %i5 = chlo.top_k(%x5, k = 0) : tensor<2xi64> -> (tensor<0xi64>, tensor<0xi32>)
  check.expect_eq_const %v5, dense<> : tensor<0xi64>
  check.expect_eq_const %i5, dense<> : tensor<0xi32>
  func.return
}
