// RUN: halo-run --backend=interpreter %s

// Values: numpy.take, for every batch.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %i0 = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi32>
  %r0 = "stablehlo.torch_index_select"(%x0, %i0) {dim = 0 : i64, batch_dims = 0 : i64}
      : (tensor<3x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %r0, dense<[[5.0, 6.0], [1.0, 2.0], [5.0, 6.0]]> : tensor<3x2xf32>

  %x1 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %i1 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %r1 = "stablehlo.torch_index_select"(%x1, %i1) {dim = 1 : i64, batch_dims = 0 : i64}
      : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<3x1x2xi64>
  check.expect_eq_const %r1, dense<[[[2, 1]], [[4, 3]], [[6, 5]]]> : tensor<3x1x2xi64>

  %x2 = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %i2 = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %r2 = "stablehlo.torch_index_select"(%x2, %i2) {dim = 1 : i64, batch_dims = 1 : i64}
      : (tensor<2x3x2xi32>, tensor<2x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %r2, dense<[[[4, 5], [0, 1]], [[8, 9], [8, 9]]]> : tensor<2x2x2xi32>

  %x3 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %i3 = stablehlo.constant dense<1> : tensor<i32>
  %r3 = "stablehlo.torch_index_select"(%x3, %i3) {dim = 0 : i64, batch_dims = 0 : i64}
      : (tensor<2xi1>, tensor<i32>) -> tensor<i1>
  check.expect_eq_const %r3, dense<false> : tensor<i1>
  func.return
}
