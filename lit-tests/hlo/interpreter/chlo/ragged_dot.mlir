// RUN: halo-run --backend=interpreter %s

// Values: numpy.matmul of each group of rows.

func.func @main() {
  %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %w0 = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]],
                                  [[2.0, 1.0], [1.0, -1.0]],
                                  [[0.0, 3.0], [1.0, 1.0]]]> : tensor<3x2x2xf32>
  %sizes0 = stablehlo.constant dense<[1, 3, 0]> : tensor<3xi64>
  %r0 = "chlo.ragged_dot"(%x0, %w0, %sizes0) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<4x2xf32>, tensor<3x2x2xf32>, tensor<3xi64>) -> tensor<4x2xf32>
  check.expect_eq_const %r0, dense<[[1.0, 2.0], [10.0, -1.0], [16.0, -1.0], [22.0, -1.0]]> : tensor<4x2xf32>

  %x1 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %w1 = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]],
                                  [[2.0, 1.0], [1.0, -1.0]],
                                  [[0.0, 3.0], [1.0, 1.0]]]> : tensor<3x2x2xf32>
  %sizes1 = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi64>
  %r1 = "chlo.ragged_dot"(%x1, %w1, %sizes1) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<4x2xf32>, tensor<3x2x2xf32>, tensor<3xi64>) -> tensor<4x2xf32>
  check.expect_eq_const %r1, dense<[[1.0, 2.0], [3.0, 4.0], [6.0, 21.0], [8.0, 29.0]]> : tensor<4x2xf32>

  // The rows of a group are summed over.
  %x2 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %y2 = stablehlo.constant dense<[[1.0, 0.0], [2.0, 1.0], [-1.0, 1.0], [0.0, 3.0]]> : tensor<4x2xf32>
  %sizes2 = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %r2 = "chlo.ragged_dot"(%x2, %y2, %sizes2) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0],
      lhs_ragged_dimensions = [0]>
  } : (tensor<4x2xf32>, tensor<4x2xf32>, tensor<2xi32>) -> tensor<2x2x2xf32>
  check.expect_eq_const %r2, dense<[[[2.0, 8.0], [4.0, 10.0]], [[0.0, 21.0], [0.0, 24.0]]]> : tensor<2x2x2xf32>
  func.return
}
