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
