// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=narrow %s

// Values: basic indexing of numpy.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %r0 = stablehlo.slice %x0 [1:3, 0:4:2] : (tensor<3x4xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %r0, dense<[[5, 7], [9, 11]]> : tensor<2x2xi32>

  %x1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %r1 = stablehlo.slice %x1 [1:6:3] : (tensor<6xf32>) -> tensor<2xf32>
  check.expect_eq_const %r1, dense<[2.0, 5.0]> : tensor<2xf32>

  %x2 = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
  %r2 = stablehlo.slice %x2 [2:2] : (tensor<5xi64>) -> tensor<0xi64>
  check.expect_eq_const %r2, dense<> : tensor<0xi64>

  %x3 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  %r3 = stablehlo.slice %x3 [0:2, 1:2] : (tensor<2x2xbf16>) -> tensor<2x1xbf16>
  check.expect_eq_const %r3, dense<[[2.0], [4.0]]> : tensor<2x1xbf16>

  %x4 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %r4 = stablehlo.slice %x4 [0:3:2] : (tensor<3xi1>) -> tensor<2xi1>
  check.expect_eq_const %r4, dense<[true, true]> : tensor<2xi1>

  %x5 = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0), (3.0, -1.0)]> : tensor<3xcomplex<f64>>
  %r5 = stablehlo.slice %x5 [1:3] : (tensor<3xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %r5, dense<[(2.0, 0.0), (3.0, -1.0)]> : tensor<2xcomplex<f64>>
  func.return
}

func.func @narrow() {
  %x = stablehlo.constant dense<[-8, 1, 7]> : tensor<3xi4>
  %r = stablehlo.slice %x [0:3:2] : (tensor<3xi4>) -> tensor<2xi4>
  check.expect_eq_const %r, dense<[-8, 7]> : tensor<2xi4>
  func.return
}
