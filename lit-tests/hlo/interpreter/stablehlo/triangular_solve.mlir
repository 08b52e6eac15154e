// RUN: halo-run --backend=interpreter %s

// Values: numpy.linalg.solve of the triangle; the first is the example of the specification.

func.func @main() {
  %a0 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b0 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %r0 = "stablehlo.triangular_solve"(%a0, %b0) {
    left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %expected0 = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>
  check.expect_close %r0, %expected0, max_ulp_difference = 1 : tensor<3x3xf32>, tensor<3x3xf32>

  %a1 = stablehlo.constant dense<[[2.0, 1.0], [9.0, 4.0]]> : tensor<2x2xf64>
  %b1 = stablehlo.constant dense<[[8.0], [4.0]]> : tensor<2x1xf64>
  %r1 = "stablehlo.triangular_solve"(%a1, %b1) {
    left_side = true, lower = false, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  %expected1 = stablehlo.constant dense<[[3.5], [1.0]]> : tensor<2x1xf64>
  check.expect_close %r1, %expected1, max_ulp_difference = 1 : tensor<2x1xf64>, tensor<2x1xf64>

  %a2 = stablehlo.constant dense<[[2.0, 9.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %b2 = stablehlo.constant dense<[[8.0], [4.0]]> : tensor<2x1xf64>
  %r2 = "stablehlo.triangular_solve"(%a2, %b2) {
    left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose TRANSPOSE>
  } : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  %expected2 = stablehlo.constant dense<[[2.5], [1.0]]> : tensor<2x1xf64>
  check.expect_close %r2, %expected2, max_ulp_difference = 1 : tensor<2x1xf64>, tensor<2x1xf64>

  %a3 = stablehlo.constant dense<[[7.0, 2.0], [9.0, 7.0]]> : tensor<2x2xf32>
  %b3 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r3 = "stablehlo.triangular_solve"(%a3, %b3) {
    left_side = false, lower = false, unit_diagonal = true,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %expected3 = stablehlo.constant dense<[[1.0, 0.0], [3.0, -2.0]]> : tensor<2x2xf32>
  check.expect_close %r3, %expected3, max_ulp_difference = 1 : tensor<2x2xf32>, tensor<2x2xf32>

  %a4 = stablehlo.constant dense<[[(2.0, 0.0), (0.0, 0.0)], [(0.0, 1.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %b4 = stablehlo.constant dense<[[(2.0, 0.0)], [(1.0, 1.0)]]> : tensor<2x1xcomplex<f64>>
  %r4 = "stablehlo.triangular_solve"(%a4, %b4) {
    left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose ADJOINT>
  } : (tensor<2x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  %expected4 = stablehlo.constant dense<[[(0.5, 0.5)], [(1.0, 1.0)]]> : tensor<2x1xcomplex<f64>>
  check.expect_close %r4, %expected4, max_ulp_difference = 1
      : tensor<2x1xcomplex<f64>>, tensor<2x1xcomplex<f64>>

  %a5 = stablehlo.constant dense<[[[2.0, 0.0], [1.0, 1.0]], [[4.0, 0.0], [2.0, 2.0]]]> : tensor<2x2x2xf32>
  %b5 = stablehlo.constant dense<[[[2.0], [3.0]], [[4.0], [4.0]]]> : tensor<2x2x1xf32>
  %r5 = "stablehlo.triangular_solve"(%a5, %b5) {
    left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  %expected5 = stablehlo.constant dense<[[[1.0], [2.0]], [[1.0], [1.0]]]> : tensor<2x2x1xf32>
  check.expect_close %r5, %expected5, max_ulp_difference = 1 : tensor<2x2x1xf32>, tensor<2x2x1xf32>

  %a6 = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b6 = stablehlo.constant dense<[[2.0, 8.0]]> : tensor<1x2xf32>
  %r6 = "stablehlo.triangular_solve"(%a6, %b6) {
    left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose TRANSPOSE>
  } : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %expected6 = stablehlo.constant dense<[[1.0, 1.75]]> : tensor<1x2xf32>
  check.expect_close %r6, %expected6, max_ulp_difference = 1 : tensor<1x2xf32>, tensor<1x2xf32>

  // A singular system has infinite solutions, as LAPACK's trsm.
  %a7 = stablehlo.constant dense<[[0.0, 9.0], [1.0, 1.0]]> : tensor<2x2xf32>
  %b7 = stablehlo.constant dense<1.0> : tensor<2x1xf32>
  %r7 = "stablehlo.triangular_solve"(%a7, %b7) {
    left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_eq_const %r7, dense<[[0x7F800000], [0xFF800000]]> : tensor<2x1xf32>
  func.return
}
