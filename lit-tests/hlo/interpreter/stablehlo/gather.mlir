// RUN: halo-run --backend=interpreter %s

// Values: loops over the formula in numpy; the first operand, indices and numbers are those of the specification's example.

func.func @main() {
  %x0 = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]],
                                   [[9, 10], [11, 12], [13, 14], [15, 16]],
                                   [[17, 18], [19, 20], [21, 22], [23, 24]]],
                                  [[[25, 26], [27, 28], [29, 30], [31, 32]],
                                   [[33, 34], [35, 36], [37, 38], [39, 40]],
                                   [[41, 42], [43, 44], [45, 46], [47, 48]]]]> : tensor<2x3x4x2xi32>
  %i0 = stablehlo.constant dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
                                  [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]]]> : tensor<2x2x3x2xi64>
  %r0 = "stablehlo.gather"(%x0, %i0) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1],
      start_index_map = [2, 1], index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 1, 2, 2>
  } : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  check.expect_eq_const %r0, dense<[[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
                                     [[[33, 34], [35, 36]],
                                      [[35, 36], [37, 38]],
                                      [[41, 42], [43, 44]]]],
                                    [[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
                                     [[[33, 34], [35, 36]],
                                      [[35, 36], [37, 38]],
                                      [[41, 42], [43, 44]]]]]> : tensor<2x2x3x2x2xi32>

  %x1 = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %i1 = stablehlo.constant dense<[2, 0, -1, 7]> : tensor<4xi32>
  %r1 = "stablehlo.gather"(%x1, %i1) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  } : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  check.expect_eq_const %r1, dense<[[4.0, 5.0], [0.0, 1.0], [0.0, 1.0], [4.0, 5.0]]> : tensor<4x2xf32>

  %x2 = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>
  %i2 = stablehlo.constant dense<[[1], [4]]> : tensor<2x1xui8>
  %r2 = "stablehlo.gather"(%x2, %i2) {
    dimension_numbers = #stablehlo.gather<
      offset_dims = [1],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 2>
  } : (tensor<5xi64>, tensor<2x1xui8>) -> tensor<2x2xi64>
  check.expect_eq_const %r2, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>

  %x3 = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %i3 = stablehlo.constant dense<[[0, 1], [2, 2]]> : tensor<2x2xi64>
  %r3 = "stablehlo.gather"(%x3, %i3) {
    dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>
  } : (tensor<3x3xi32>, tensor<2x2xi64>) -> tensor<2xi32>
  check.expect_eq_const %r3, dense<[1, 8]> : tensor<2xi32>
  func.return
}
