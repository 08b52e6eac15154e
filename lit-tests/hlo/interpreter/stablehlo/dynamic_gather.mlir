// RUN: halo-run --backend=interpreter %s

// Values: loops over the formula of gather in numpy.

func.func @main() {
  %x0 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %i0 = stablehlo.constant dense<[2, 0, -1, 7]> : tensor<4xi32>
  %sizes0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r0 = "stablehlo.dynamic_gather"(%x0, %i0, %sizes0) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>
  } : (tensor<3x2xf32>, tensor<4xi32>, tensor<2xi64>) -> tensor<4x2xf32>
  check.expect_eq_const %r0, dense<[[4.0, 5.0], [0.0, 1.0], [0.0, 1.0], [4.0, 5.0]]> : tensor<4x2xf32>

  %x1 = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>
  %i1 = stablehlo.constant dense<[[1], [4]]> : tensor<2x1xui8>
  %sizes1 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %r1 = "stablehlo.dynamic_gather"(%x1, %i1, %sizes1) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1],
      start_index_map = [0], index_vector_dim = 1>
  } : (tensor<5xi64>, tensor<2x1xui8>, tensor<1xi32>) -> tensor<2x2xi64>
  check.expect_eq_const %r1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>

  %x2 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %i2 = stablehlo.constant dense<[[0, 1], [2, 2]]> : tensor<2x2xi64>
  %sizes2 = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %r2 = "stablehlo.dynamic_gather"(%x2, %i2, %sizes2) {
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>
  } : (tensor<3x3xi32>, tensor<2x2xi64>, tensor<2xi64>) -> tensor<2xi32>
  check.expect_eq_const %r2, dense<[1, 8]> : tensor<2xi32>
  func.return
}
