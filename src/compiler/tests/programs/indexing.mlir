// Gathers, scatters and sorts.

// The specification's example of `gather`, whose slices are moved inside.
func.func @gathers_slices_of_batches() {
  %operand = stablehlo.constant {input} dense<[[[[1, 2], [3, 4], [5, 6], [7, 8]], [[9, 10],
      [11, 12], [13, 14], [15, 16]], [[17, 18], [19, 20], [21, 22], [23, 24]]], [[[25, 26],
      [27, 28], [29, 30], [31, 32]], [[33, 34], [35, 36], [37, 38], [39, 40]], [[41, 42], [43, 44],
      [45, 46], [47, 48]]]]> : tensor<2x3x4x2xi32>
  %starts = stablehlo.constant {input} dense<[[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
      [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]]> : tensor<2x2x3x2xi64>
  %0 = "stablehlo.gather"(%operand, %starts) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [3, 4],
      collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [1], start_index_map = [2, 1],
      index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 1, 2, 2>, indices_are_sorted = false
  }> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  check.expect_eq_const %0, dense<[[[[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
      [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]], [[[[1, 2], [3, 4]],
      [[13, 14], [15, 16]], [[21, 22], [23, 24]]], [[[43, 44], [45, 46]], [[33, 34], [35, 36]],
      [[27, 28], [29, 30]]]]]> : tensor<2x2x3x2x2xi32>
  return
}

// Unsigned numbers above all signed ones are moved to the last row.
func.func @gathers_at_unsigned_numbers() {
  %rows = stablehlo.constant {input} dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %numbers = stablehlo.constant {input} dense<[1, 200, 0, 3]> : tensor<4xui8>
  %0 = "stablehlo.gather"(%rows, %numbers) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  }> : (tensor<3x2xf32>, tensor<4xui8>) -> tensor<4x2xf32>
  check.expect_eq_const %0, dense<[[2.0, 3.0], [4.0, 5.0], [0.0, 1.0], [4.0, 5.0]]>
    : tensor<4x2xf32>
  return
}

// The elements of a window that are outside are left out, each on its own, and
// numbers that are far outside do not wrap around.
func.func @scatters_what_is_inside() {
  %operand = stablehlo.constant {input} dense<0> : tensor<5xi32>
  %starts = stablehlo.constant {input} dense<[[-1], [3], [9223372036854775807],
      [-9223372036854775808]]> : tensor<4x1xi64>
  %updates = stablehlo.constant {input} dense<[[1, 2, 3], [10, 20, 30], [100, 200, 300], [7, 8, 9]]>
    : tensor<4x3xi32>
  %0 = "stablehlo.scatter"(%operand, %starts, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %1 = stablehlo.subtract %old, %update : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<4x1xi64>, tensor<4x3xi32>) -> tensor<5xi32>
  check.expect_eq_const %0, dense<[-2, -3, 0, -10, -20]> : tensor<5xi32>
  return
}

// One window, partly out of bounds: `x[max(i, 0):i + 36] += 10`.
func.func @scatters_one_window() {
  %x = stablehlo.iota dim = 0 : tensor<40xi32>
  %ten = stablehlo.constant dense<10> : tensor<40xi32>
  %more = stablehlo.add %x, %ten : tensor<40xi32>
  %eight = stablehlo.constant {input} dense<8> : tensor<1xi32>
  %0 = call @adds_ten_at(%eight) : (tensor<1xi32>) -> tensor<40xi32>
  %first = stablehlo.constant dense<8> : tensor<40xi32>
  %1 = stablehlo.compare GE, %x, %first : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
  %2 = stablehlo.select %1, %more, %x : tensor<40xi1>, tensor<40xi32>
  check.expect_eq %0, %2 : tensor<40xi32>
  %negative = stablehlo.constant {input} dense<-3> : tensor<1xi32>
  %3 = call @adds_ten_at(%negative) : (tensor<1xi32>) -> tensor<40xi32>
  %end = stablehlo.constant dense<33> : tensor<40xi32>
  %4 = stablehlo.compare LT, %x, %end : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
  %5 = stablehlo.select %4, %more, %x : tensor<40xi1>, tensor<40xi32>
  check.expect_eq %3, %5 : tensor<40xi32>
  return
}

func.func private @adds_ten_at(%at: tensor<1xi32>) -> tensor<40xi32> {
  %x = stablehlo.iota dim = 0 : tensor<40xi32>
  %ten = stablehlo.constant dense<10> : tensor<36xi32>
  %0 = "stablehlo.scatter"(%x, %at, %ten) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      scatter_dims_to_operand_dims = [0]>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %1 = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<40xi32>, tensor<1xi32>, tensor<36xi32>) -> tensor<40xi32>
  return %0 : tensor<40xi32>
}

// Several operands, one update after the other: the second update of an
// element reads the result of the first.
func.func @scatters_to_several_operands_in_order() {
  %a = stablehlo.constant {input} dense<1> : tensor<3xi32>
  %b = stablehlo.constant {input} dense<2.0> : tensor<3xf32>
  %places = stablehlo.constant {input} dense<[2, 0, 2]> : tensor<3xi32>
  %c = stablehlo.constant {input} dense<[5, 6, 7]> : tensor<3xi32>
  %d = stablehlo.constant {input} dense<[8.0, 6.0, 1.0]> : tensor<3xf32>
  %0:2 = "stablehlo.scatter"(%a, %b, %places, %c, %d) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old_a: tensor<i32>, %old_b: tensor<f32>, %new_a: tensor<i32>, %new_b: tensor<f32>):
    %two = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.multiply %old_a, %two : tensor<i32>
    %2 = stablehlo.add %1, %new_a : tensor<i32>
    %3 = stablehlo.divide %new_b, %old_b : tensor<f32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<f32>
  }) : (tensor<3xi32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xf32>)
    -> (tensor<3xi32>, tensor<3xf32>)
  check.expect_eq_const %0#0, dense<[8, 1, 21]> : tensor<3xi32>
  check.expect_eq_const %0#1, dense<[3.0, 2.0, 0.25]> : tensor<3xf32>
  return
}

// Each window covers the operand, so all loops are over updates, and none is
// left to share among the threads of a block.
func.func @adds_windows_that_cover_the_operand() {
  %operand = stablehlo.constant {input} dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12, 13, 14, 15, 16, 17]]> : tensor<2x9xi32>
  %starts = stablehlo.constant dense<0> : tensor<3x0xi32>
  %updates = stablehlo.constant dense<1> : tensor<2x9x3xi32>
  %0 = "stablehlo.scatter"(%operand, %starts, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1],
      index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %1 = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<2x9xi32>, tensor<3x0xi32>, tensor<2x9x3xi32>) -> tensor<2x9xi32>
  check.expect_eq_const %0, dense<[[3, 4, 5, 6, 7, 8, 9, 10, 11],
      [12, 13, 14, 15, 16, 17, 18, 19, 20]]> : tensor<2x9xi32>
  return
}

// Pairs along the first dimension by their first parts; equal ones keep their
// order.
func.func @sorts_pairs_stably() {
  %keys = stablehlo.constant {input} dense<[[1, -5], [2, -5], [1, 9], [2, -6]]> : tensor<4x2xi32>
  %values = stablehlo.constant {input} dense<[[0, 0], [1, 1], [2, 2], [3, 3]]> : tensor<4x2xi32>
  %0:2 = "stablehlo.sort"(%keys, %values) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x2xi32>, tensor<4x2xi32>) -> (tensor<4x2xi32>, tensor<4x2xi32>)
  check.expect_eq_const %0#0, dense<[[2, 9], [2, -5], [1, -5], [1, -6]]> : tensor<4x2xi32>
  check.expect_eq_const %0#1, dense<[[1, 2], [3, 0], [0, 1], [2, 3]]> : tensor<4x2xi32>
  return
}

// `numpy.sort`: a row that is sorted by insertion alone, straight into the
// result.
func.func @sorts_a_short_row_into_the_result() {
  %a = stablehlo.constant {input} dense<[3, -1, 7, 0]> : tensor<4xi32>
  %0 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[-1, 0, 3, 7]> : tensor<4xi32>
  return
}
