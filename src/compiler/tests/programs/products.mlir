// Products of small tensors.

// The specification's example of `dot_general`.
func.func @multiplies_batches_of_matrices() {
  %a = stablehlo.constant {input} dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %b = stablehlo.constant {input} dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %0, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  return
}

func.func @index_notation_contracts_and_transposes() attributes {folds_constants} {
  %a = stablehlo.constant {input} dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %b = stablehlo.constant {input} dense<[[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [3.0, 1.0, 0.0],
      [1.0, 1.0, 1.0]]> : tensor<4x3xf32>
  %0 = stablehlo.einsum %a, %b, config = "ij,kj->ki" : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
  check.expect_eq_const %0, dense<[[4.0, 13.0], [3.0, 9.0], [1.0, 13.0], [3.0, 12.0]]>
    : tensor<4x2xf32>
  return
}

func.func @index_notation_of_one_operand_sums() attributes {folds_constants} {
  %a = stablehlo.constant {input} dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %0 = stablehlo.unary_einsum %a, config = "ij->i" : (tensor<2x3xf32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[3.0, 12.0]> : tensor<2xf32>
  return
}

// A contraction of rank 9 by a gate of ones over the first and the last dimension (openxla/xla
// issue 41173): element (i, j, k...) is the sum of the numbers at (0, k..., 0), (0, k..., 1),
// (1, k..., 0) and (1, k..., 1), which are 4 * 2k + 0 + 1 + 256 + 257. The sum of all is 4 times
// the sum of the numbers to 511.
func.func @contraction_of_rank_nine() {
  %0 = stablehlo.iota dim = 0 : tensor<512xf32>
  %1 = stablehlo.reshape %0 : (tensor<512xf32>) -> tensor<2x2x2x2x2x2x2x2x2xf32>
  %gate = stablehlo.constant {input} dense<1.0> : tensor<2x2x2x2xf32>
  %2 = stablehlo.dot_general %gate, %1, contracting_dims = [2, 3] x [0, 8]
    : (tensor<2x2x2x2xf32>, tensor<2x2x2x2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2x2x2x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%2 init: %zero) applies stablehlo.add
    across dimensions = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    : (tensor<2x2x2x2x2x2x2x2x2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %sum, dense<523264.0> : tensor<f32>
  %3 = stablehlo.reshape %2 : (tensor<2x2x2x2x2x2x2x2x2xf32>) -> tensor<512xf32>
  %4 = stablehlo.slice %3 [126:129] : (tensor<512xf32>) -> tensor<3xf32>
  check.expect_eq_const %4, dense<[1522.0, 1530.0, 514.0]> : tensor<3xf32>
  return
}
