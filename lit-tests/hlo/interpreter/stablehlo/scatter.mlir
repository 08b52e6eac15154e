// RUN: halo-run --backend=interpreter %s

// Values: loops over the formula in numpy; what lies out of bounds is left out.

func.func @main() {
  %x0 = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8]],
                                  [[9, 10], [11, 12], [13, 14], [15, 16]],
                                  [[17, 18], [19, 20], [21, 22], [23, 24]]]> : tensor<3x4x2xi64>
  %i0 = stablehlo.constant dense<[[[0, 2], [1, 0], [2, 1]], [[0, 1], [1, 0], [0, 9]]]> : tensor<2x3x2xi64>
  %u0 = stablehlo.constant dense<1> : tensor<2x3x2x2xi64>
  %r0 = "stablehlo.scatter"(%x0, %i0, %u0) ({
    ^bb0(%p0: tensor<i64>, %q0: tensor<i64>):
      %s0 = stablehlo.add %p0, %q0 : tensor<i64>
      stablehlo.return %s0 : tensor<i64>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2, 3], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xi64>, tensor<2x3x2xi64>, tensor<2x3x2x2xi64>) -> tensor<3x4x2xi64>
  check.expect_eq_const %r0, dense<[[[1, 2], [5, 6], [7, 8], [7, 8]],
                                    [[10, 11], [12, 13], [14, 15], [16, 17]],
                                    [[18, 19], [20, 21], [21, 22], [23, 24]]]> : tensor<3x4x2xi64>

  %x1 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %i1 = stablehlo.constant dense<[[1], [1], [-1], [4]]> : tensor<4x1xi32>
  %u1 = stablehlo.constant dense<[1.5, 2.0, 9.0, 9.0]> : tensor<4xf32>
  %r1 = "stablehlo.scatter"(%x1, %i1, %u1) ({
    ^bb0(%p1: tensor<f32>, %q1: tensor<f32>):
      %s1 = stablehlo.add %p1, %q1 : tensor<f32>
      stablehlo.return %s1 : tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<4xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<4xf32>
  check.expect_eq_const %r1, dense<[0.0, 3.5, 0.0, 0.0]> : tensor<4xf32>

  %x2 = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i2 = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %u2 = stablehlo.constant dense<[[-1, 9], [8, -9]]> : tensor<2x2xi32>
  %r2 = "stablehlo.scatter"(%x2, %i2, %u2) ({
    ^bb0(%p2: tensor<i32>, %q2: tensor<i32>):
      %s2 = stablehlo.maximum %p2, %q2 : tensor<i32>
      stablehlo.return %s2 : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<3x2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %r2, dense<[[8, 2], [3, 4], [5, 9]]> : tensor<3x2xi32>

  %x3 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i3 = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %u3 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %r3 = "stablehlo.scatter"(%x3, %i3, %u3) ({
    ^bb0(%p3: tensor<i32>, %q3: tensor<i32>):
      %s3 = stablehlo.multiply %p3, %q3 : tensor<i32>
      stablehlo.return %s3 : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0],
      scatter_dims_to_operand_dims = [1], index_vector_dim = 1>
  } : (tensor<2x3xi32>, tensor<2x1xi64>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %r3, dense<[[1, 2, 30], [80, 5, 6]]> : tensor<2x3xi32>

  // Two inputs, overwritten.
  %x4 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y4 = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %i4 = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi64>
  %u4 = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %v4 = stablehlo.constant dense<[0.5, -0.5]> : tensor<2xf32>
  %r4, %s4 = "stablehlo.scatter"(%x4, %y4, %i4, %u4, %v4) ({
    ^bb0(%p4: tensor<i32>, %q4: tensor<f32>, %a4: tensor<i32>, %b4: tensor<f32>):
      stablehlo.return %a4, %b4 : tensor<i32>, tensor<f32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }
      : (tensor<3xi32>, tensor<3xf32>, tensor<2x1xi64>, tensor<2xi32>, tensor<2xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  check.expect_eq_const %r4, dense<[8, 2, 7]> : tensor<3xi32>
  check.expect_eq_const %s4, dense<[-0.5, 5.0, 0.5]> : tensor<3xf32>
  func.return
}
