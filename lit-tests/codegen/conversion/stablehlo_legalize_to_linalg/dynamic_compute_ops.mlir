// RUN: halo-run %s --backend=interpreter
// RUN: halo-run %s --backend=cpu
// RUN: halo-opt %s --chlo-legalize-to-stablehlo --shape-legalize-to-stablehlo --stablehlo-legalize-to-linalg | halo-run - --backend=cpu

// Ops that compute elements of dynamic shapes, for several sizes each: interpreted, compiled for the sizes, and lowered
// to linalg before the sizes are known. Values: numpy and JAX.

// `x + y`
func.func private @sum_of_mixed_types(%x: tensor<?x4xf32>, %y: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %y : (tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// `numpy.clip(x if p else y, -0.5, 0.5)`
func.func private @select_and_clamp(%p: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %lo = stablehlo.constant dense<-0.5> : tensor<f32>
  %hi = stablehlo.constant dense<0.5> : tensor<f32>
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<?xf32>
  %1 = stablehlo.clamp %lo, %0, %hi : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// `x < y`
func.func private @less(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xi32> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  %1 = stablehlo.convert %0 : (tensor<?xi1>) -> tensor<?xi32>
  return %1 : tensor<?xi32>
}

// `x[numpy.clip(i, 0, len(x) - 1)]`
func.func private @rows(%x: tensor<?x8xf32>, %i: tensor<?x?xi32>) -> tensor<?x?x8xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<?x?xi32>) -> tensor<?x?x8xf32>
  return %0 : tensor<?x?x8xf32>
}

// `x[numpy.clip(i[:, 0], 0, len(x) - 1)]`
func.func private @rows_of_any_size(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %d = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<1> : tensor<1xi32>
  %d1 = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %c, %d1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// `x[i] += u, one after the other, without rows that do not exist`
func.func private @scatter_add(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %u: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// `x.max(0), y.sum(0)`
func.func private @max_and_sum(%x: tensor<?x?xf32>, %y: tensor<?x?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %a = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %b = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %a), (%y init: %b) across dimensions = [0] : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
   reducer(%p: tensor<f32>, %q: tensor<f32>) (%r: tensor<i32>, %s: tensor<i32>) {
    %m = stablehlo.maximum %p, %q : tensor<f32>
    %t = stablehlo.add %r, %s : tensor<i32>
    stablehlo.return %m, %t : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xi32>
}

// `x @ y`
func.func private @batched_product(%x: tensor<?x?x?xf32>, %y: tensor<?x?x5xf32>) -> tensor<?x?x5xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  return %0 : tensor<?x?x5xf32>
}

// `x @ y.swapaxes(2, 3)`
func.func private @scores(%x: tensor<?x4x?x3xf32>, %y: tensor<?x4x?x3xf32>) -> tensor<?x4x?x?xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x4x?x3xf32>, tensor<?x4x?x3xf32>) -> tensor<?x4x?x?xf32>
  return %0 : tensor<?x4x?x?xf32>
}

// `numpy.einsum("kmc,cnk->mn", x, y)[:, None, :]`
func.func private @product_of_transposed(%x: tensor<?x?x3xf32>, %y: tensor<3x?x?xf32>) -> tensor<?x?x?xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0, 2] x [2, 0] : (tensor<?x?x3xf32>, tensor<3x?x?xf32>) -> tensor<?x?xf32>
  %c = stablehlo.constant dense<1> : tensor<1xi32>
  %a = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %b = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %a1 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %a1, %c, %b1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %1 = stablehlo.dynamic_reshape %0, %s : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// `x * 2**n + x`
func.func private @doubled(%x: tensor<?xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%v = %x, %i = %n) : tensor<?xf32>, tensor<i32> cond {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %c = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %w = stablehlo.add %v, %v : tensor<?xf32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %w, %j : tensor<?xf32>, tensor<i32>
  }
  %y = stablehlo.add %0#0, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// `numpy.tile(x, 2) if p else -x`
func.func private @branches(%p: tensor<i1>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    %b = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Values: `jax.lax.reduce_window`.
func.func private @largest_in_windows(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 2, 1>, padding = dense<[[0,0],[1,1],[0,0]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// Values: `jax.lax.conv_general_dilated`.
func.func private @convolution(%x: tensor<?x?x?x3xf32>, %w: tensor<3x3x3x5xf32>) -> tensor<?x?x?x5xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 2]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x3xf32>, tensor<3x3x3x5xf32>) -> tensor<?x?x?x5xf32>
  return %0 : tensor<?x?x?x5xf32>
}

// Values: `jax.lax.conv_general_dilated`.
func.func private @grouped_convolution(%x: tensor<?x4x?xf32>, %w: tensor<6x2x3xf32>) -> tensor<?x6x?xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {lhs_dilate = [2], pad = [[1, 1]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<?x4x?xf32>, tensor<6x2x3xf32>) -> tensor<?x6x?xf32>
  return %0 : tensor<?x6x?xf32>
}

// Values: `jax.lax.conv_general_dilated`.
func.func private @convolution_padded_by_operand(%x: tensor<?x?x3xf32>, %w: tensor<3x3x5xf32>, %p: tensor<1x2xi32>) -> tensor<?x?x5xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %w, %p) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64}> : (tensor<?x?x3xf32>, tensor<3x3x5xf32>, tensor<1x2xi32>) -> tensor<?x?x5xf32>
  return %0 : tensor<?x?x5xf32>
}

// `x * x`
func.func private @squares(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %m = stablehlo.multiply %a, %a : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// `numpy.cumsum(x, 1)`
func.func private @running_sums(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 4>, padding = dense<[[0,0],[3,0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// `numpy.sort and numpy.argsort, stable`
func.func private @sorted_pairs(%x: tensor<?x?xf32>, %y: tensor<?x?xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<?x?xf32>, tensor<?x?xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}

// Values: `jax.lax.top_k`.
func.func private @largest(%x: tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<?x?xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %0#0, %0#1 : tensor<?x2xf32>, tensor<?x2xi32>
}

func.func @main() {
  %sum_of_mixed_types0_0 = stablehlo.constant dense<[[0.0, 0.0, 2.0, 4.0], [-4.0, -3.0, 3.0, 4.0], [-2.0, -2.0, 3.0, -1.0]]> : tensor<3x4xf32>
  %sum_of_mixed_types0_0d = tensor.cast %sum_of_mixed_types0_0 : tensor<3x4xf32> to tensor<?x4xf32>
  %sum_of_mixed_types0_1 = stablehlo.constant dense<[[-2.0, 3.0, -2.0, -1.0], [1.0, 0.0, -4.0, -4.0], [3.0, 2.0, 3.0, 0.0]]> : tensor<3x4xf32>
  %sum_of_mixed_types0_1d = tensor.cast %sum_of_mixed_types0_1 : tensor<3x4xf32> to tensor<3x?xf32>
  %sum_of_mixed_types0 = call @sum_of_mixed_types(%sum_of_mixed_types0_0d, %sum_of_mixed_types0_1d) : (tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  %sum_of_mixed_types0_r0 = tensor.cast %sum_of_mixed_types0 : tensor<?x?xf32> to tensor<3x4xf32>
  check.expect_eq_const %sum_of_mixed_types0_r0, dense<[[-2.0, 3.0, 0.0, 3.0], [-3.0, -3.0, -1.0, 0.0], [1.0, 0.0, 6.0, -1.0]]> : tensor<3x4xf32>
  %select_and_clamp0_0 = stablehlo.constant dense<true> : tensor<i1>
  %select_and_clamp0_1 = stablehlo.constant dense<[3.0, -2.0, 0.0, 3.0, -3.0]> : tensor<5xf32>
  %select_and_clamp0_1d = tensor.cast %select_and_clamp0_1 : tensor<5xf32> to tensor<?xf32>
  %select_and_clamp0_2 = stablehlo.constant dense<[-2.0, -3.0, 0.0, 4.0, -3.0]> : tensor<5xf32>
  %select_and_clamp0_2d = tensor.cast %select_and_clamp0_2 : tensor<5xf32> to tensor<?xf32>
  %select_and_clamp0 = call @select_and_clamp(%select_and_clamp0_0, %select_and_clamp0_1d, %select_and_clamp0_2d) : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %select_and_clamp0_r0 = tensor.cast %select_and_clamp0 : tensor<?xf32> to tensor<5xf32>
  check.expect_eq_const %select_and_clamp0_r0, dense<[0.5, -0.5, 0.0, 0.5, -0.5]> : tensor<5xf32>
  %select_and_clamp1_0 = stablehlo.constant dense<false> : tensor<i1>
  %select_and_clamp1_1 = stablehlo.constant dense<[-1.0]> : tensor<1xf32>
  %select_and_clamp1_1d = tensor.cast %select_and_clamp1_1 : tensor<1xf32> to tensor<?xf32>
  %select_and_clamp1_2 = stablehlo.constant dense<[-1.0]> : tensor<1xf32>
  %select_and_clamp1_2d = tensor.cast %select_and_clamp1_2 : tensor<1xf32> to tensor<?xf32>
  %select_and_clamp1 = call @select_and_clamp(%select_and_clamp1_0, %select_and_clamp1_1d, %select_and_clamp1_2d) : (tensor<i1>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %select_and_clamp1_r0 = tensor.cast %select_and_clamp1 : tensor<?xf32> to tensor<1xf32>
  check.expect_eq_const %select_and_clamp1_r0, dense<[-0.5]> : tensor<1xf32>
  %less0_0 = stablehlo.constant dense<[4.0, -3.0, 0.0, -2.0, -4.0]> : tensor<5xf32>
  %less0_0d = tensor.cast %less0_0 : tensor<5xf32> to tensor<?xf32>
  %less0_1 = stablehlo.constant dense<[2.0, -4.0, -2.0, 0.0, 0.0]> : tensor<5xf32>
  %less0_1d = tensor.cast %less0_1 : tensor<5xf32> to tensor<?xf32>
  %less0 = call @less(%less0_0d, %less0_1d) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi32>
  %less0_r0 = tensor.cast %less0 : tensor<?xi32> to tensor<5xi32>
  check.expect_eq_const %less0_r0, dense<[0, 0, 0, 1, 1]> : tensor<5xi32>
  %less1_0 = stablehlo.constant dense<[-3.0, 4.0]> : tensor<2xf32>
  %less1_0d = tensor.cast %less1_0 : tensor<2xf32> to tensor<?xf32>
  %less1_1 = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %less1_1d = tensor.cast %less1_1 : tensor<2xf32> to tensor<?xf32>
  %less1 = call @less(%less1_0d, %less1_1d) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi32>
  %less1_r0 = tensor.cast %less1 : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %less1_r0, dense<[1, 0]> : tensor<2xi32>
  %rows0_0 = stablehlo.constant dense<[[-1.0, -2.0, 2.0, -2.0, -4.0, 4.0, 2.0, 4.0], [3.0, 1.0, 4.0, -2.0, -3.0, 2.0, 2.0, -3.0], [4.0, -2.0, 4.0, 0.0, -3.0, -1.0, -3.0, -1.0], [0.0, 4.0, 4.0, -3.0, 2.0, 1.0, -1.0, -4.0], [0.0, -4.0, 3.0, -3.0, 2.0, 4.0, 0.0, 2.0]]> : tensor<5x8xf32>
  %rows0_0d = tensor.cast %rows0_0 : tensor<5x8xf32> to tensor<?x8xf32>
  %rows0_1 = stablehlo.constant dense<[[2, 6, 4], [-2, 1, 4]]> : tensor<2x3xi32>
  %rows0_1d = tensor.cast %rows0_1 : tensor<2x3xi32> to tensor<?x?xi32>
  %rows0 = call @rows(%rows0_0d, %rows0_1d) : (tensor<?x8xf32>, tensor<?x?xi32>) -> tensor<?x?x8xf32>
  %rows0_r0 = tensor.cast %rows0 : tensor<?x?x8xf32> to tensor<2x3x8xf32>
  check.expect_eq_const %rows0_r0, dense<[[[4.0, -2.0, 4.0, 0.0, -3.0, -1.0, -3.0, -1.0], [0.0, -4.0, 3.0, -3.0, 2.0, 4.0, 0.0, 2.0], [0.0, -4.0, 3.0, -3.0, 2.0, 4.0, 0.0, 2.0]], [[-1.0, -2.0, 2.0, -2.0, -4.0, 4.0, 2.0, 4.0], [3.0, 1.0, 4.0, -2.0, -3.0, 2.0, 2.0, -3.0], [0.0, -4.0, 3.0, -3.0, 2.0, 4.0, 0.0, 2.0]]]> : tensor<2x3x8xf32>
  %rows1_0 = stablehlo.constant dense<[[0.0, -1.0, 0.0, -1.0, 0.0, 2.0, -2.0, -2.0], [0.0, 0.0, 0.0, -2.0, 2.0, -1.0, 1.0, 0.0]]> : tensor<2x8xf32>
  %rows1_0d = tensor.cast %rows1_0 : tensor<2x8xf32> to tensor<?x8xf32>
  %rows1_1 = stablehlo.constant dense<[[5]]> : tensor<1x1xi32>
  %rows1_1d = tensor.cast %rows1_1 : tensor<1x1xi32> to tensor<?x?xi32>
  %rows1 = call @rows(%rows1_0d, %rows1_1d) : (tensor<?x8xf32>, tensor<?x?xi32>) -> tensor<?x?x8xf32>
  %rows1_r0 = tensor.cast %rows1 : tensor<?x?x8xf32> to tensor<1x1x8xf32>
  check.expect_eq_const %rows1_r0, dense<[[[0.0, 0.0, 0.0, -2.0, 2.0, -1.0, 1.0, 0.0]]]> : tensor<1x1x8xf32>
  %rows_of_any_size0_0 = stablehlo.constant dense<[[-3.0, -3.0, -2.0, 4.0, -1.0, -4.0, 0.0], [-2.0, 3.0, -4.0, 1.0, -4.0, 1.0, 3.0], [3.0, -3.0, -3.0, -3.0, -4.0, -4.0, -1.0], [0.0, -3.0, 3.0, 1.0, 3.0, 1.0, 0.0], [-3.0, -1.0, 2.0, -2.0, 1.0, 1.0, -1.0]]> : tensor<5x7xf32>
  %rows_of_any_size0_0d = tensor.cast %rows_of_any_size0_0 : tensor<5x7xf32> to tensor<?x?xf32>
  %rows_of_any_size0_1 = stablehlo.constant dense<[[7], [7], [4]]> : tensor<3x1xi32>
  %rows_of_any_size0_1d = tensor.cast %rows_of_any_size0_1 : tensor<3x1xi32> to tensor<?x1xi32>
  %rows_of_any_size0 = call @rows_of_any_size(%rows_of_any_size0_0d, %rows_of_any_size0_1d) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %rows_of_any_size0_r0 = tensor.cast %rows_of_any_size0 : tensor<?x?xf32> to tensor<3x7xf32>
  check.expect_eq_const %rows_of_any_size0_r0, dense<[[-3.0, -1.0, 2.0, -2.0, 1.0, 1.0, -1.0], [-3.0, -1.0, 2.0, -2.0, 1.0, 1.0, -1.0], [-3.0, -1.0, 2.0, -2.0, 1.0, 1.0, -1.0]]> : tensor<3x7xf32>
  %rows_of_any_size1_0 = stablehlo.constant dense<3.0> : tensor<2x1xf32>
  %rows_of_any_size1_0d = tensor.cast %rows_of_any_size1_0 : tensor<2x1xf32> to tensor<?x?xf32>
  %rows_of_any_size1_1 = stablehlo.constant dense<[[0]]> : tensor<1x1xi32>
  %rows_of_any_size1_1d = tensor.cast %rows_of_any_size1_1 : tensor<1x1xi32> to tensor<?x1xi32>
  %rows_of_any_size1 = call @rows_of_any_size(%rows_of_any_size1_0d, %rows_of_any_size1_1d) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %rows_of_any_size1_r0 = tensor.cast %rows_of_any_size1 : tensor<?x?xf32> to tensor<1x1xf32>
  check.expect_eq_const %rows_of_any_size1_r0, dense<[[3.0]]> : tensor<1x1xf32>
  %scatter_add0_0 = stablehlo.constant dense<[[-2.0, -3.0, -3.0], [4.0, -1.0, -3.0], [-2.0, 2.0, -1.0], [-2.0, 1.0, -1.0], [-1.0, 0.0, -1.0]]> : tensor<5x3xf32>
  %scatter_add0_0d = tensor.cast %scatter_add0_0 : tensor<5x3xf32> to tensor<?x?xf32>
  %scatter_add0_1 = stablehlo.constant dense<[[5], [3], [-1], [4]]> : tensor<4x1xi32>
  %scatter_add0_1d = tensor.cast %scatter_add0_1 : tensor<4x1xi32> to tensor<?x1xi32>
  %scatter_add0_2 = stablehlo.constant dense<[[-3.0, 0.0, 2.0], [-2.0, -1.0, 4.0], [-2.0, -3.0, 4.0], [-1.0, -2.0, 4.0]]> : tensor<4x3xf32>
  %scatter_add0_2d = tensor.cast %scatter_add0_2 : tensor<4x3xf32> to tensor<?x?xf32>
  %scatter_add0 = call @scatter_add(%scatter_add0_0d, %scatter_add0_1d, %scatter_add0_2d) : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %scatter_add0_r0 = tensor.cast %scatter_add0 : tensor<?x?xf32> to tensor<5x3xf32>
  check.expect_eq_const %scatter_add0_r0, dense<[[-2.0, -3.0, -3.0], [4.0, -1.0, -3.0], [-2.0, 2.0, -1.0], [-4.0, 0.0, 3.0], [-2.0, -2.0, 3.0]]> : tensor<5x3xf32>
  %scatter_add1_0 = stablehlo.constant dense<2.0> : tensor<1x2xf32>
  %scatter_add1_0d = tensor.cast %scatter_add1_0 : tensor<1x2xf32> to tensor<?x?xf32>
  %scatter_add1_1 = stablehlo.constant dense<0> : tensor<2x1xi32>
  %scatter_add1_1d = tensor.cast %scatter_add1_1 : tensor<2x1xi32> to tensor<?x1xi32>
  %scatter_add1_2 = stablehlo.constant dense<[[4.0, -4.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %scatter_add1_2d = tensor.cast %scatter_add1_2 : tensor<2x2xf32> to tensor<?x?xf32>
  %scatter_add1 = call @scatter_add(%scatter_add1_0d, %scatter_add1_1d, %scatter_add1_2d) : (tensor<?x?xf32>, tensor<?x1xi32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %scatter_add1_r0 = tensor.cast %scatter_add1 : tensor<?x?xf32> to tensor<1x2xf32>
  check.expect_eq_const %scatter_add1_r0, dense<[[8.0, -1.0]]> : tensor<1x2xf32>
  %max_and_sum0_0 = stablehlo.constant dense<[[2.0, 1.0, 2.0, 2.0], [3.0, -1.0, -2.0, 0.0], [1.0, -1.0, 3.0, 2.0]]> : tensor<3x4xf32>
  %max_and_sum0_0d = tensor.cast %max_and_sum0_0 : tensor<3x4xf32> to tensor<?x?xf32>
  %max_and_sum0_1 = stablehlo.constant dense<[[7, 5, 8, 3], [8, 6, 0, 2], [3, 6, 4, 3]]> : tensor<3x4xi32>
  %max_and_sum0_1d = tensor.cast %max_and_sum0_1 : tensor<3x4xi32> to tensor<?x?xi32>
  %max_and_sum0:2 = call @max_and_sum(%max_and_sum0_0d, %max_and_sum0_1d) : (tensor<?x?xf32>, tensor<?x?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  %max_and_sum0_r0 = tensor.cast %max_and_sum0#0 : tensor<?xf32> to tensor<4xf32>
  check.expect_eq_const %max_and_sum0_r0, dense<[3.0, 1.0, 3.0, 2.0]> : tensor<4xf32>
  %max_and_sum0_r1 = tensor.cast %max_and_sum0#1 : tensor<?xi32> to tensor<4xi32>
  check.expect_eq_const %max_and_sum0_r1, dense<[18, 17, 12, 8]> : tensor<4xi32>
  %max_and_sum1_0 = stablehlo.constant dense<4.0> : tensor<1x2xf32>
  %max_and_sum1_0d = tensor.cast %max_and_sum1_0 : tensor<1x2xf32> to tensor<?x?xf32>
  %max_and_sum1_1 = stablehlo.constant dense<[[3, 2]]> : tensor<1x2xi32>
  %max_and_sum1_1d = tensor.cast %max_and_sum1_1 : tensor<1x2xi32> to tensor<?x?xi32>
  %max_and_sum1:2 = call @max_and_sum(%max_and_sum1_0d, %max_and_sum1_1d) : (tensor<?x?xf32>, tensor<?x?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  %max_and_sum1_r0 = tensor.cast %max_and_sum1#0 : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %max_and_sum1_r0, dense<4.0> : tensor<2xf32>
  %max_and_sum1_r1 = tensor.cast %max_and_sum1#1 : tensor<?xi32> to tensor<2xi32>
  check.expect_eq_const %max_and_sum1_r1, dense<[3, 2]> : tensor<2xi32>
  %batched_product0_0 = stablehlo.constant dense<[[[-2.0, -2.0, -4.0, 1.0], [-2.0, 1.0, 3.0, -2.0], [-4.0, 1.0, -3.0, 1.0]], [[-2.0, 3.0, 0.0, 2.0], [-1.0, -1.0, 3.0, 1.0], [-3.0, -4.0, 1.0, 3.0]]]> : tensor<2x3x4xf32>
  %batched_product0_0d = tensor.cast %batched_product0_0 : tensor<2x3x4xf32> to tensor<?x?x?xf32>
  %batched_product0_1 = stablehlo.constant dense<[[[3.0, -4.0, 4.0, 2.0, 3.0], [4.0, -3.0, -4.0, 3.0, 4.0], [2.0, 3.0, -1.0, 4.0, -4.0], [-4.0, -3.0, -2.0, 2.0, -2.0]], [[-4.0, 4.0, -2.0, 4.0, -2.0], [2.0, 2.0, 1.0, -1.0, 1.0], [-4.0, -1.0, -1.0, 3.0, -2.0], [-3.0, 2.0, 0.0, -2.0, 3.0]]]> : tensor<2x4x5xf32>
  %batched_product0_1d = tensor.cast %batched_product0_1 : tensor<2x4x5xf32> to tensor<?x?x5xf32>
  %batched_product0 = call @batched_product(%batched_product0_0d, %batched_product0_1d) : (tensor<?x?x?xf32>, tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %batched_product0_r0 = tensor.cast %batched_product0 : tensor<?x?x5xf32> to tensor<2x3x5xf32>
  check.expect_eq_const %batched_product0_r0, dense<[[[-26.0, -1.0, 2.0, -24.0, 0.0], [12.0, 20.0, -11.0, 7.0, -10.0], [-18.0, 1.0, -19.0, -15.0, 2.0]], [[8.0, 2.0, 7.0, -15.0, 13.0], [-13.0, -7.0, -2.0, 4.0, -2.0], [-9.0, -15.0, 1.0, -11.0, 9.0]]]> : tensor<2x3x5xf32>
  %batched_product1_0 = stablehlo.constant dense<[[[2.0, -2.0, 0.0, 4.0, 3.0, 3.0, 2.0]]]> : tensor<1x1x7xf32>
  %batched_product1_0d = tensor.cast %batched_product1_0 : tensor<1x1x7xf32> to tensor<?x?x?xf32>
  %batched_product1_1 = stablehlo.constant dense<[[[1.0, -1.0, -3.0, 0.0, -1.0], [0.0, -3.0, 3.0, -3.0, -3.0], [-1.0, -1.0, -3.0, 0.0, -2.0], [-1.0, -3.0, 1.0, 1.0, 0.0], [-2.0, -1.0, 3.0, 2.0, -4.0], [-2.0, 1.0, 1.0, -4.0, 2.0], [-4.0, -3.0, 2.0, -2.0, 2.0]]]> : tensor<1x7x5xf32>
  %batched_product1_1d = tensor.cast %batched_product1_1 : tensor<1x7x5xf32> to tensor<?x?x5xf32>
  %batched_product1 = call @batched_product(%batched_product1_0d, %batched_product1_1d) : (tensor<?x?x?xf32>, tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %batched_product1_r0 = tensor.cast %batched_product1 : tensor<?x?x5xf32> to tensor<1x1x5xf32>
  check.expect_eq_const %batched_product1_r0, dense<[[[-22.0, -14.0, 8.0, 0.0, 2.0]]]> : tensor<1x1x5xf32>
  %scores0_0 = stablehlo.constant dense<[[[[4.0, -2.0, 4.0], [1.0, 4.0, 3.0], [-4.0, -1.0, 3.0]], [[3.0, 4.0, 3.0], [4.0, -4.0, 2.0], [-2.0, 2.0, 3.0]], [[2.0, 3.0, 1.0], [-1.0, 3.0, -3.0], [0.0, 4.0, -2.0]], [[2.0, -4.0, 4.0], [4.0, 1.0, 2.0], [1.0, -3.0, -1.0]]], [[[3.0, -2.0, -2.0], [2.0, 1.0, -1.0], [-1.0, 3.0, -3.0]], [[-1.0, -3.0, -2.0], [-4.0, -2.0, -4.0], [1.0, -4.0, -4.0]], [[-4.0, -3.0, 3.0], [2.0, 0.0, -1.0], [-3.0, 0.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, -4.0, -3.0], [-4.0, -1.0, 1.0]]]]> : tensor<2x4x3x3xf32>
  %scores0_0d = tensor.cast %scores0_0 : tensor<2x4x3x3xf32> to tensor<?x4x?x3xf32>
  %scores0_1 = stablehlo.constant dense<[[[[3.0, -1.0, -1.0], [4.0, 0.0, -1.0], [4.0, 1.0, -2.0], [3.0, 2.0, -3.0], [0.0, 0.0, 3.0]], [[-1.0, -1.0, 1.0], [0.0, 1.0, -1.0], [-3.0, 3.0, 3.0], [4.0, -4.0, 1.0], [-2.0, 4.0, 1.0]], [[2.0, 1.0, 3.0], [-3.0, 4.0, -1.0], [-2.0, -1.0, 4.0], [-3.0, -1.0, 3.0], [0.0, -3.0, -3.0]], [[4.0, 3.0, 2.0], [-1.0, -4.0, 2.0], [3.0, -3.0, -4.0], [-1.0, -2.0, -1.0], [-1.0, -2.0, 4.0]]], [[[-4.0, 2.0, 2.0], [-1.0, 4.0, 4.0], [-2.0, -3.0, -3.0], [-4.0, -1.0, -3.0], [-4.0, 0.0, 1.0]], [[3.0, -1.0, -2.0], [1.0, 0.0, 4.0], [0.0, 3.0, -4.0], [4.0, -1.0, 4.0], [-3.0, 1.0, 0.0]], [[0.0, -2.0, -4.0], [-3.0, -4.0, 1.0], [0.0, -1.0, 3.0], [-1.0, -1.0, -4.0], [-4.0, 4.0, -3.0]], [[-3.0, 2.0, 3.0], [-3.0, 0.0, -3.0], [1.0, -2.0, -2.0], [1.0, 4.0, 3.0], [-4.0, -3.0, 4.0]]]]> : tensor<2x4x5x3xf32>
  %scores0_1d = tensor.cast %scores0_1 : tensor<2x4x5x3xf32> to tensor<?x4x?x3xf32>
  %scores0 = call @scores(%scores0_0d, %scores0_1d) : (tensor<?x4x?x3xf32>, tensor<?x4x?x3xf32>) -> tensor<?x4x?x?xf32>
  %scores0_r0 = tensor.cast %scores0 : tensor<?x4x?x?xf32> to tensor<2x4x3x5xf32>
  check.expect_eq_const %scores0_r0, dense<[[[[10.0, 12.0, 6.0, -4.0, 12.0], [-4.0, 1.0, 2.0, 2.0, 9.0], [-14.0, -19.0, -23.0, -23.0, 9.0]], [[-4.0, 1.0, 12.0, -1.0, 13.0], [2.0, -6.0, -18.0, 34.0, -22.0], [3.0, -1.0, 21.0, -13.0, 15.0]], [[10.0, 5.0, -3.0, -6.0, -12.0], [-8.0, 18.0, -13.0, -9.0, 0.0], [-2.0, 18.0, -12.0, -10.0, -6.0]], [[4.0, 22.0, 2.0, 2.0, 22.0], [23.0, -4.0, 1.0, -8.0, 2.0], [-7.0, 9.0, 16.0, 6.0, 1.0]]], [[[-20.0, -19.0, 6.0, -4.0, -14.0], [-8.0, -2.0, -4.0, -6.0, -9.0], [4.0, 1.0, 2.0, 10.0, 1.0]], [[4.0, -9.0, -1.0, -9.0, 0.0], [-2.0, -20.0, 10.0, -30.0, 10.0], [15.0, -15.0, 4.0, -8.0, -7.0]], [[-6.0, 27.0, 12.0, -5.0, -5.0], [4.0, -7.0, -3.0, 2.0, -5.0], [0.0, 9.0, 0.0, 3.0, 12.0]], [[0.0, 0.0, 0.0, 0.0, 0.0], [-17.0, 9.0, 14.0, -25.0, 0.0], [13.0, 9.0, -4.0, -5.0, 23.0]]]]> : tensor<2x4x3x5xf32>
  %scores1_0 = stablehlo.constant dense<[[[[1.0, -2.0, 0.0]], [[4.0, 0.0, -4.0]], [[1.0, 3.0, 3.0]], [[2.0, -3.0, 0.0]]]]> : tensor<1x4x1x3xf32>
  %scores1_0d = tensor.cast %scores1_0 : tensor<1x4x1x3xf32> to tensor<?x4x?x3xf32>
  %scores1_1 = stablehlo.constant dense<[[[[0.0, 2.0, -4.0], [-4.0, 0.0, -4.0]], [[3.0, 0.0, 4.0], [-2.0, 0.0, 3.0]], [[-2.0, -2.0, 1.0], [1.0, -1.0, 3.0]], [[-3.0, 2.0, 0.0], [4.0, 3.0, 3.0]]]]> : tensor<1x4x2x3xf32>
  %scores1_1d = tensor.cast %scores1_1 : tensor<1x4x2x3xf32> to tensor<?x4x?x3xf32>
  %scores1 = call @scores(%scores1_0d, %scores1_1d) : (tensor<?x4x?x3xf32>, tensor<?x4x?x3xf32>) -> tensor<?x4x?x?xf32>
  %scores1_r0 = tensor.cast %scores1 : tensor<?x4x?x?xf32> to tensor<1x4x1x2xf32>
  check.expect_eq_const %scores1_r0, dense<[[[[-4.0, -4.0]], [[-4.0, -20.0]], [[-5.0, 7.0]], [[-12.0, -1.0]]]]> : tensor<1x4x1x2xf32>
  %product_of_transposed0_0 = stablehlo.constant dense<[[[4.0, -4.0, 4.0], [-3.0, -1.0, -2.0], [-2.0, -4.0, -4.0], [-2.0, -1.0, -2.0]], [[3.0, -4.0, -2.0], [4.0, 3.0, 3.0], [2.0, 0.0, -3.0], [3.0, 1.0, 3.0]]]> : tensor<2x4x3xf32>
  %product_of_transposed0_0d = tensor.cast %product_of_transposed0_0 : tensor<2x4x3xf32> to tensor<?x?x3xf32>
  %product_of_transposed0_1 = stablehlo.constant dense<[[[3.0, 4.0], [4.0, -4.0], [-3.0, 1.0], [3.0, 3.0], [2.0, 3.0]], [[-2.0, 3.0], [-2.0, -4.0], [4.0, 1.0], [-1.0, -1.0], [-2.0, 2.0]], [[2.0, -1.0], [-3.0, -2.0], [0.0, 3.0], [-1.0, 0.0], [0.0, -3.0]]]> : tensor<3x5x2xf32>
  %product_of_transposed0_1d = tensor.cast %product_of_transposed0_1 : tensor<3x5x2xf32> to tensor<3x?x?xf32>
  %product_of_transposed0 = call @product_of_transposed(%product_of_transposed0_0d, %product_of_transposed0_1d) : (tensor<?x?x3xf32>, tensor<3x?x?xf32>) -> tensor<?x?x?xf32>
  %product_of_transposed0_r0 = tensor.cast %product_of_transposed0 : tensor<?x?x?xf32> to tensor<4x1x5xf32>
  check.expect_eq_const %product_of_transposed0_r0, dense<[[[30.0, 20.0, -35.0, 25.0, 23.0]], [[11.0, -38.0, 21.0, 3.0, 5.0]], [[5.0, 10.0, -17.0, 8.0, 19.0]], [[4.0, -22.0, 15.0, 5.0, 0.0]]]> : tensor<4x1x5xf32>
  %doubled0_0 = stablehlo.constant dense<[2.0, -1.0, -1.0, -2.0]> : tensor<4xf32>
  %doubled0_0d = tensor.cast %doubled0_0 : tensor<4xf32> to tensor<?xf32>
  %doubled0_1 = stablehlo.constant dense<3> : tensor<i32>
  %doubled0 = call @doubled(%doubled0_0d, %doubled0_1) : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
  %doubled0_r0 = tensor.cast %doubled0 : tensor<?xf32> to tensor<4xf32>
  check.expect_eq_const %doubled0_r0, dense<[18.0, -9.0, -9.0, -18.0]> : tensor<4xf32>
  %doubled1_0 = stablehlo.constant dense<[-4.0]> : tensor<1xf32>
  %doubled1_0d = tensor.cast %doubled1_0 : tensor<1xf32> to tensor<?xf32>
  %doubled1_1 = stablehlo.constant dense<0> : tensor<i32>
  %doubled1 = call @doubled(%doubled1_0d, %doubled1_1) : (tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
  %doubled1_r0 = tensor.cast %doubled1 : tensor<?xf32> to tensor<1xf32>
  check.expect_eq_const %doubled1_r0, dense<[-8.0]> : tensor<1xf32>
  %branches0_0 = stablehlo.constant dense<true> : tensor<i1>
  %branches0_1 = stablehlo.constant dense<[-1.0, 3.0, 2.0]> : tensor<3xf32>
  %branches0_1d = tensor.cast %branches0_1 : tensor<3xf32> to tensor<?xf32>
  %branches0 = call @branches(%branches0_0, %branches0_1d) : (tensor<i1>, tensor<?xf32>) -> tensor<?xf32>
  %branches0_r0 = tensor.cast %branches0 : tensor<?xf32> to tensor<6xf32>
  check.expect_eq_const %branches0_r0, dense<[-1.0, 3.0, 2.0, -1.0, 3.0, 2.0]> : tensor<6xf32>
  %branches1_0 = stablehlo.constant dense<false> : tensor<i1>
  %branches1_1 = stablehlo.constant dense<[-2.0, 1.0]> : tensor<2xf32>
  %branches1_1d = tensor.cast %branches1_1 : tensor<2xf32> to tensor<?xf32>
  %branches1 = call @branches(%branches1_0, %branches1_1d) : (tensor<i1>, tensor<?xf32>) -> tensor<?xf32>
  %branches1_r0 = tensor.cast %branches1 : tensor<?xf32> to tensor<2xf32>
  check.expect_eq_const %branches1_r0, dense<[2.0, -1.0]> : tensor<2xf32>
  %largest_in_windows0_0 = stablehlo.constant dense<[[[-2.0, 4.0, 2.0, 1.0, 2.0], [4.0, 3.0, 0.0, -3.0, 4.0], [3.0, 1.0, -1.0, -3.0, -2.0], [4.0, -1.0, -3.0, 4.0, 3.0], [4.0, 1.0, -4.0, 4.0, -2.0], [3.0, 2.0, 4.0, -4.0, 4.0], [-4.0, -3.0, -4.0, -2.0, 3.0]], [[4.0, -1.0, 2.0, -2.0, 4.0], [3.0, 0.0, -2.0, -3.0, 2.0], [1.0, -1.0, 4.0, -2.0, -4.0], [-1.0, 0.0, -3.0, -2.0, -4.0], [4.0, 3.0, 0.0, 3.0, 4.0], [0.0, 3.0, 2.0, 2.0, 3.0], [-2.0, -1.0, 0.0, 2.0, 1.0]]]> : tensor<2x7x5xf32>
  %largest_in_windows0_0d = tensor.cast %largest_in_windows0_0 : tensor<2x7x5xf32> to tensor<?x?x?xf32>
  %largest_in_windows0 = call @largest_in_windows(%largest_in_windows0_0d) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %largest_in_windows0_r0 = tensor.cast %largest_in_windows0 : tensor<?x?x?xf32> to tensor<2x4x4xf32>
  check.expect_eq_const %largest_in_windows0_r0, dense<[[[4.0, 4.0, 2.0, 4.0], [4.0, 3.0, 4.0, 4.0], [4.0, 4.0, 4.0, 4.0], [3.0, 4.0, 4.0, 4.0]], [[4.0, 2.0, 2.0, 4.0], [3.0, 4.0, 4.0, 2.0], [4.0, 3.0, 3.0, 4.0], [3.0, 3.0, 2.0, 3.0]]]> : tensor<2x4x4xf32>
  %largest_in_windows1_0 = stablehlo.constant dense<2.0> : tensor<1x1x2xf32>
  %largest_in_windows1_0d = tensor.cast %largest_in_windows1_0 : tensor<1x1x2xf32> to tensor<?x?x?xf32>
  %largest_in_windows1 = call @largest_in_windows(%largest_in_windows1_0d) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %largest_in_windows1_r0 = tensor.cast %largest_in_windows1 : tensor<?x?x?xf32> to tensor<1x1x1xf32>
  check.expect_eq_const %largest_in_windows1_r0, dense<[[[2.0]]]> : tensor<1x1x1xf32>
  %largest_in_windows2_0 = stablehlo.constant dense<[[[-4.0, -1.0, -3.0], [4.0, 2.0, 0.0], [2.0, -3.0, -3.0], [1.0, 3.0, 2.0], [3.0, -1.0, -2.0], [0.0, -1.0, -2.0], [-4.0, 3.0, 0.0], [-1.0, -4.0, 4.0]]]> : tensor<1x8x3xf32>
  %largest_in_windows2_0d = tensor.cast %largest_in_windows2_0 : tensor<1x8x3xf32> to tensor<?x?x?xf32>
  %largest_in_windows2 = call @largest_in_windows(%largest_in_windows2_0d) : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %largest_in_windows2_r0 = tensor.cast %largest_in_windows2 : tensor<?x?x?xf32> to tensor<1x4x2xf32>
  check.expect_eq_const %largest_in_windows2_r0, dense<[[[4.0, 2.0], [4.0, 3.0], [3.0, 3.0], [3.0, 4.0]]]> : tensor<1x4x2xf32>
  %convolution0_0 = stablehlo.constant dense<[[[[0.0, 1.0, 1.0], [-3.0, 1.0, 1.0], [-4.0, 2.0, 1.0], [3.0, 2.0, -1.0], [-3.0, 3.0, 1.0], [2.0, 3.0, 1.0], [-3.0, 0.0, 4.0]], [[-3.0, 4.0, -3.0], [2.0, 1.0, 3.0], [-2.0, -2.0, -3.0], [1.0, -2.0, 4.0], [-2.0, -4.0, -2.0], [3.0, -3.0, -2.0], [-3.0, 3.0, 2.0]], [[1.0, -1.0, 3.0], [-3.0, -1.0, -3.0], [0.0, -1.0, 4.0], [0.0, -4.0, -2.0], [-3.0, 1.0, 4.0], [-3.0, 4.0, 4.0], [-3.0, -4.0, 4.0]], [[4.0, -2.0, -3.0], [4.0, 2.0, 4.0], [-3.0, -4.0, 1.0], [-4.0, -2.0, -2.0], [4.0, 4.0, -1.0], [3.0, 4.0, -1.0], [4.0, 3.0, 1.0]], [[-2.0, -2.0, -1.0], [4.0, -3.0, -1.0], [4.0, 2.0, 3.0], [-4.0, 0.0, 2.0], [-2.0, 3.0, 4.0], [0.0, -1.0, 0.0], [-3.0, -4.0, -1.0]], [[-1.0, 2.0, -3.0], [2.0, -3.0, -4.0], [4.0, 4.0, -2.0], [2.0, -3.0, -4.0], [-2.0, 3.0, 3.0], [4.0, 3.0, 3.0], [1.0, -4.0, 2.0]]], [[[0.0, 3.0, 1.0], [-1.0, 3.0, 1.0], [0.0, -2.0, -4.0], [-3.0, 4.0, -4.0], [4.0, -4.0, 0.0], [-1.0, -4.0, 4.0], [3.0, 1.0, 2.0]], [[0.0, 4.0, 3.0], [-4.0, -2.0, -1.0], [1.0, -2.0, 1.0], [-4.0, 1.0, 2.0], [2.0, -1.0, -4.0], [-4.0, 0.0, -3.0], [-3.0, 3.0, 3.0]], [[1.0, -4.0, -3.0], [4.0, 2.0, -2.0], [-3.0, 0.0, 2.0], [1.0, 1.0, -3.0], [-4.0, -3.0, 0.0], [2.0, 2.0, 1.0], [2.0, 0.0, 2.0]], [[-4.0, 3.0, 3.0], [2.0, 3.0, 4.0], [0.0, -1.0, 0.0], [-4.0, 4.0, -3.0], [4.0, -2.0, 0.0], [-4.0, -4.0, -4.0], [-3.0, 0.0, -3.0]], [[-2.0, -2.0, -2.0], [3.0, 2.0, 4.0], [3.0, -3.0, 3.0], [-4.0, -1.0, -3.0], [2.0, 1.0, 3.0], [1.0, -3.0, 3.0], [-3.0, 4.0, 1.0]], [[-2.0, -2.0, -2.0], [-3.0, 4.0, -1.0], [3.0, -4.0, 1.0], [-1.0, 3.0, -4.0], [3.0, -2.0, -3.0], [-3.0, -2.0, -2.0], [-1.0, -3.0, 0.0]]]]> : tensor<2x6x7x3xf32>
  %convolution0_0d = tensor.cast %convolution0_0 : tensor<2x6x7x3xf32> to tensor<?x?x?x3xf32>
  %convolution0_1 = stablehlo.constant dense<[[[[0.0, -1.0, 2.0, -3.0, -1.0], [2.0, 4.0, -4.0, 3.0, 2.0], [-2.0, 4.0, -4.0, 3.0, 2.0]], [[1.0, -2.0, -2.0, -2.0, 1.0], [1.0, 3.0, 4.0, 4.0, -2.0], [4.0, 0.0, 2.0, 1.0, 0.0]], [[2.0, -2.0, -3.0, -3.0, 1.0], [3.0, 0.0, 1.0, 1.0, 4.0], [-3.0, 1.0, -3.0, 2.0, 4.0]]], [[[3.0, 3.0, 4.0, 3.0, 3.0], [4.0, -2.0, 4.0, 2.0, -1.0], [4.0, 2.0, 4.0, 1.0, 4.0]], [[1.0, 4.0, 2.0, 3.0, -2.0], [3.0, 3.0, -1.0, -1.0, 2.0], [-3.0, 4.0, -4.0, -3.0, 1.0]], [[3.0, -2.0, 1.0, 4.0, -3.0], [-3.0, -2.0, -2.0, 1.0, 4.0], [3.0, 0.0, 1.0, 4.0, 4.0]]], [[[3.0, 3.0, -3.0, -2.0, -3.0], [3.0, -1.0, -4.0, 3.0, 4.0], [-1.0, 4.0, 0.0, -2.0, 0.0]], [[0.0, -2.0, 1.0, 3.0, 3.0], [-4.0, -1.0, -2.0, 3.0, 3.0], [-2.0, 1.0, -3.0, 0.0, 4.0]], [[-1.0, -2.0, -3.0, -1.0, 0.0], [2.0, 4.0, -2.0, 1.0, 4.0], [1.0, 0.0, 4.0, 4.0, 3.0]]]]> : tensor<3x3x3x5xf32>
  %convolution0 = call @convolution(%convolution0_0d, %convolution0_1) : (tensor<?x?x?x3xf32>, tensor<3x3x3x5xf32>) -> tensor<?x?x?x5xf32>
  %convolution0_r0 = tensor.cast %convolution0 : tensor<?x?x?x5xf32> to tensor<2x3x5x5xf32>
  check.expect_eq_const %convolution0_r0, dense<[[[[4.0, -40.0, -4.0, -17.0, 20.0], [6.0, -2.0, -27.0, -5.0, -6.0], [28.0, 1.0, 21.0, -18.0, 18.0], [30.0, 40.0, 33.0, -4.0, -13.0], [-40.0, -14.0, -11.0, -27.0, 0.0]], [[10.0, 56.0, -42.0, -32.0, 4.0], [4.0, 7.0, -78.0, -43.0, -12.0], [-33.0, 3.0, 14.0, -8.0, 81.0], [-77.0, -17.0, -60.0, -25.0, 47.0], [-1.0, -24.0, -1.0, 15.0, 18.0]], [[7.0, -26.0, -6.0, 10.0, 80.0], [18.0, 17.0, -16.0, -14.0, 24.0], [36.0, 19.0, -15.0, -8.0, 47.0], [-21.0, -32.0, 4.0, 16.0, 0.0], [43.0, -16.0, 21.0, 2.0, 21.0]]], [[[53.0, -25.0, 12.0, 17.0, -34.0], [31.0, -10.0, 37.0, -2.0, 5.0], [0.0, 12.0, 27.0, 40.0, -30.0], [-39.0, -25.0, -13.0, -21.0, -39.0], [-15.0, 40.0, -23.0, 7.0, 16.0]], [[-29.0, 9.0, -73.0, -43.0, 17.0], [25.0, 11.0, 52.0, 43.0, -53.0], [-24.0, -36.0, -3.0, -6.0, 18.0], [9.0, 17.0, -12.0, 31.0, -15.0], [2.0, 20.0, 18.0, -41.0, -73.0]], [[-30.0, -7.0, -69.0, 6.0, -15.0], [31.0, 12.0, 68.0, 83.0, -12.0], [-5.0, 27.0, 31.0, -37.0, -1.0], [-33.0, -21.0, -69.0, -13.0, -26.0], [27.0, 12.0, 30.0, -38.0, -8.0]]]]> : tensor<2x3x5x5xf32>
  %convolution1_0 = stablehlo.constant dense<[[[[-3.0, 4.0, 3.0], [4.0, -1.0, 2.0], [3.0, -2.0, 3.0], [1.0, 4.0, -1.0], [-1.0, 3.0, -4.0]], [[-3.0, -3.0, 0.0], [-1.0, 3.0, 4.0], [0.0, 1.0, 1.0], [-1.0, -4.0, 3.0], [-2.0, 2.0, 4.0]], [[1.0, 1.0, 2.0], [-1.0, 2.0, 0.0], [3.0, 2.0, 1.0], [3.0, -4.0, 3.0], [4.0, -2.0, 1.0]]]]> : tensor<1x3x5x3xf32>
  %convolution1_0d = tensor.cast %convolution1_0 : tensor<1x3x5x3xf32> to tensor<?x?x?x3xf32>
  %convolution1_1 = stablehlo.constant dense<[[[[-2.0, 0.0, 1.0, 4.0, 0.0], [1.0, 1.0, 4.0, -3.0, -3.0], [-2.0, -1.0, 2.0, -4.0, -1.0]], [[-4.0, 2.0, -1.0, -4.0, 2.0], [4.0, -1.0, -3.0, 1.0, 0.0], [-4.0, 4.0, -3.0, -2.0, -1.0]], [[-2.0, 1.0, 4.0, 2.0, 4.0], [0.0, 0.0, -1.0, -4.0, 2.0], [1.0, -4.0, -2.0, -4.0, -3.0]]], [[[2.0, 4.0, 2.0, 1.0, 4.0], [-1.0, -1.0, -4.0, 0.0, -1.0], [0.0, 3.0, -3.0, -2.0, -3.0]], [[-2.0, -1.0, 1.0, 1.0, -2.0], [-2.0, 1.0, 2.0, 2.0, -1.0], [-2.0, -3.0, 0.0, 1.0, 1.0]], [[3.0, -1.0, 0.0, -2.0, -1.0], [-3.0, 0.0, 1.0, -4.0, 4.0], [-4.0, -4.0, -4.0, 3.0, 2.0]]], [[[4.0, 1.0, 0.0, -1.0, 4.0], [1.0, 2.0, -1.0, 0.0, 3.0], [0.0, 2.0, 0.0, 2.0, 2.0]], [[1.0, -2.0, -2.0, 2.0, -3.0], [0.0, 0.0, 2.0, -4.0, 4.0], [-1.0, -2.0, 2.0, -1.0, -3.0]], [[-2.0, 0.0, -4.0, 0.0, 1.0], [-1.0, 1.0, 1.0, 4.0, 1.0], [1.0, 1.0, -1.0, -4.0, 4.0]]]]> : tensor<3x3x3x5xf32>
  %convolution1 = call @convolution(%convolution1_0d, %convolution1_1) : (tensor<?x?x?x3xf32>, tensor<3x3x3x5xf32>) -> tensor<?x?x?x5xf32>
  %convolution1_r0 = tensor.cast %convolution1 : tensor<?x?x?x5xf32> to tensor<1x2x3x5xf32>
  check.expect_eq_const %convolution1_r0, dense<[[[[-24.0, -9.0, 0.0, -39.0, -25.0], [-4.0, 38.0, 12.0, 28.0, -5.0], [7.0, 39.0, 25.0, -16.0, 7.0]], [[14.0, -21.0, -46.0, -24.0, -28.0], [-35.0, -9.0, 8.0, -38.0, -23.0], [-3.0, 14.0, -15.0, -3.0, -10.0]]]]> : tensor<1x2x3x5xf32>
  %grouped_convolution0_0 = stablehlo.constant dense<[[[-1.0, -4.0, -3.0, -2.0, 2.0], [2.0, 3.0, -3.0, 0.0, -1.0], [-2.0, 3.0, 2.0, -1.0, -4.0], [-2.0, 0.0, 4.0, 3.0, -4.0]], [[-4.0, 3.0, -1.0, -2.0, 3.0], [-3.0, 2.0, 0.0, -3.0, 0.0], [3.0, 4.0, 1.0, 2.0, -2.0], [0.0, -2.0, 1.0, -1.0, -2.0]]]> : tensor<2x4x5xf32>
  %grouped_convolution0_0d = tensor.cast %grouped_convolution0_0 : tensor<2x4x5xf32> to tensor<?x4x?xf32>
  %grouped_convolution0_1 = stablehlo.constant dense<[[[-3.0, 4.0, 1.0], [-1.0, -2.0, 3.0]], [[-3.0, 1.0, 0.0], [4.0, 3.0, -1.0]], [[1.0, -1.0, -4.0], [-1.0, 1.0, 3.0]], [[4.0, 4.0, -4.0], [3.0, -3.0, 0.0]], [[0.0, 3.0, 2.0], [2.0, 4.0, 0.0]], [[-3.0, -3.0, 3.0], [-2.0, -1.0, 2.0]]]> : tensor<6x2x3xf32>
  %grouped_convolution0 = call @grouped_convolution(%grouped_convolution0_0d, %grouped_convolution0_1) : (tensor<?x4x?xf32>, tensor<6x2x3xf32>) -> tensor<?x6x?xf32>
  %grouped_convolution0_r0 = tensor.cast %grouped_convolution0 : tensor<?x6x?xf32> to tensor<2x6x9xf32>
  check.expect_eq_const %grouped_convolution0_r0, dense<[[[-8.0, 14.0, -22.0, 17.0, -6.0, -6.0, -8.0, -7.0, 10.0], [5.0, 22.0, 5.0, -6.0, -12.0, 9.0, -2.0, -10.0, -1.0], [3.0, 3.0, 7.0, 25.0, 0.0, 1.0, 2.0, 11.0, -3.0], [-2.0, 20.0, 12.0, 8.0, -4.0, -3.0, -13.0, -24.0, -4.0], [-14.0, -4.0, 9.0, 14.0, 22.0, 10.0, 9.0, -10.0, -28.0], [8.0, -19.0, -9.0, -5.0, -10.0, 11.0, 0.0, 23.0, 16.0]], [[-10.0, -24.0, 8.0, 12.0, -4.0, 8.0, -2.0, -20.0, 12.0], [-13.0, 2.0, 9.0, 1.0, -1.0, -6.0, -11.0, -6.0, 3.0], [1.0, 8.0, -1.0, -7.0, 1.0, 5.0, -1.0, 2.0, -3.0], [12.0, -2.0, 22.0, -9.0, 1.0, 1.0, 11.0, -22.0, -2.0], [9.0, 2.0, 4.0, 10.0, 7.0, 0.0, 2.0, 0.0, -14.0], [-9.0, 1.0, -10.0, 3.0, -4.0, 1.0, -5.0, 14.0, 8.0]]]> : tensor<2x6x9xf32>
  %grouped_convolution1_0 = stablehlo.constant dense<[[[-1.0], [-3.0], [-1.0], [1.0]]]> : tensor<1x4x1xf32>
  %grouped_convolution1_0d = tensor.cast %grouped_convolution1_0 : tensor<1x4x1xf32> to tensor<?x4x?xf32>
  %grouped_convolution1_1 = stablehlo.constant dense<[[[1.0, 3.0, -2.0], [1.0, 3.0, 1.0]], [[2.0, -2.0, 3.0], [-3.0, 2.0, -4.0]], [[-1.0, -4.0, -1.0], [-2.0, -2.0, 1.0]], [[1.0, -1.0, -4.0], [-3.0, 0.0, -2.0]], [[-4.0, 0.0, 3.0], [3.0, -4.0, 1.0]], [[-3.0, -4.0, 0.0], [0.0, -3.0, -3.0]]]> : tensor<6x2x3xf32>
  %grouped_convolution1 = call @grouped_convolution(%grouped_convolution1_0d, %grouped_convolution1_1) : (tensor<?x4x?xf32>, tensor<6x2x3xf32>) -> tensor<?x6x?xf32>
  %grouped_convolution1_r0 = tensor.cast %grouped_convolution1 : tensor<?x6x?xf32> to tensor<1x6x1xf32>
  check.expect_eq_const %grouped_convolution1_r0, dense<[[[-12.0], [-4.0], [10.0], [1.0], [-4.0], [1.0]]]> : tensor<1x6x1xf32>
  %convolution_padded_by_operand0_0 = stablehlo.constant dense<[[[-1.0, 3.0, -3.0], [3.0, 0.0, 0.0], [4.0, 2.0, -2.0], [2.0, 2.0, 3.0], [0.0, -2.0, 1.0], [-2.0, 1.0, 2.0]], [[2.0, 4.0, -3.0], [-2.0, 3.0, 1.0], [-3.0, 0.0, 1.0], [-1.0, -2.0, 2.0], [4.0, -3.0, 0.0], [-1.0, -3.0, -1.0]]]> : tensor<2x6x3xf32>
  %convolution_padded_by_operand0_0d = tensor.cast %convolution_padded_by_operand0_0 : tensor<2x6x3xf32> to tensor<?x?x3xf32>
  %convolution_padded_by_operand0_1 = stablehlo.constant dense<[[[-2.0, 4.0, -3.0, 2.0, 0.0], [2.0, 1.0, 4.0, 0.0, -2.0], [-1.0, 1.0, -2.0, -4.0, -3.0]], [[-3.0, 3.0, 2.0, 4.0, 3.0], [-3.0, 1.0, 4.0, 1.0, 1.0], [3.0, -4.0, 4.0, 3.0, 4.0]], [[-4.0, 3.0, 3.0, -1.0, -3.0], [2.0, -3.0, -2.0, 2.0, 4.0], [4.0, -2.0, -4.0, 4.0, 3.0]]]> : tensor<3x3x5xf32>
  %convolution_padded_by_operand0_2 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %convolution_padded_by_operand0 = call @convolution_padded_by_operand(%convolution_padded_by_operand0_0d, %convolution_padded_by_operand0_1, %convolution_padded_by_operand0_2) : (tensor<?x?x3xf32>, tensor<3x3x5xf32>, tensor<1x2xi32>) -> tensor<?x?x5xf32>
  %convolution_padded_by_operand0_r0 = tensor.cast %convolution_padded_by_operand0 : tensor<?x?x5xf32> to tensor<2x7x5xf32>
  check.expect_eq_const %convolution_padded_by_operand0_r0, dense<[[[-27.0, 21.0, 7.0, -13.0, -21.0], [-18.0, 15.0, 43.0, 14.0, 2.0], [-22.0, 28.0, -11.0, 32.0, 17.0], [-5.0, 16.0, 24.0, 35.0, 17.0], [24.0, -6.0, -24.0, 5.0, 5.0], [4.0, -14.0, -2.0, -5.0, 4.0], [4.0, -5.0, 6.0, -12.0, -8.0]], [[-9.0, 5.0, -8.0, 15.0, 19.0], [23.0, -9.0, 15.0, 21.0, 14.0], [29.0, -18.0, 7.0, -12.0, -13.0], [-2.0, -3.0, 23.0, -20.0, -24.0], [-13.0, 13.0, -6.0, -6.0, -5.0], [-5.0, 11.0, -42.0, -2.0, -4.0], [-3.0, -8.0, -7.0, 2.0, 9.0]]]> : tensor<2x7x5xf32>
  %convolution_padded_by_operand1_0 = stablehlo.constant dense<[[[-2.0, -4.0, -2.0], [-2.0, -1.0, 0.0], [0.0, -1.0, -3.0], [4.0, -2.0, -3.0]]]> : tensor<1x4x3xf32>
  %convolution_padded_by_operand1_0d = tensor.cast %convolution_padded_by_operand1_0 : tensor<1x4x3xf32> to tensor<?x?x3xf32>
  %convolution_padded_by_operand1_1 = stablehlo.constant dense<[[[3.0, 1.0, 4.0, -2.0, -3.0], [0.0, -1.0, -4.0, -1.0, 1.0], [3.0, 3.0, 1.0, -2.0, -1.0]], [[-2.0, 3.0, -3.0, 1.0, -1.0], [-3.0, -3.0, 3.0, -4.0, 0.0], [1.0, 3.0, -3.0, 1.0, 4.0]], [[-3.0, -2.0, 2.0, 2.0, 1.0], [4.0, 0.0, 1.0, -1.0, -4.0], [1.0, 1.0, -4.0, 0.0, 0.0]]]> : tensor<3x3x5xf32>
  %convolution_padded_by_operand1_2 = stablehlo.constant dense<[[0, -1]]> : tensor<1x2xi32>
  %convolution_padded_by_operand1 = call @convolution_padded_by_operand(%convolution_padded_by_operand1_0d, %convolution_padded_by_operand1_1, %convolution_padded_by_operand1_2) : (tensor<?x?x3xf32>, tensor<3x3x5xf32>, tensor<1x2xi32>) -> tensor<?x?x5xf32>
  %convolution_padded_by_operand1_r0 = tensor.cast %convolution_padded_by_operand1 : tensor<?x?x5xf32> to tensor<1x1x5xf32>
  check.expect_eq_const %convolution_padded_by_operand1_r0, dense<[[[-12.0, -10.0, 20.0, 15.0, 10.0]]]> : tensor<1x1x5xf32>
  %squares0_0 = stablehlo.constant dense<[-4.0, 0.0, 1.0]> : tensor<3xf32>
  %squares0_0d = tensor.cast %squares0_0 : tensor<3xf32> to tensor<?xf32>
  %squares0 = call @squares(%squares0_0d) : (tensor<?xf32>) -> tensor<?xf32>
  %squares0_r0 = tensor.cast %squares0 : tensor<?xf32> to tensor<3xf32>
  check.expect_eq_const %squares0_r0, dense<[16.0, 0.0, 1.0]> : tensor<3xf32>
  %squares1_0 = stablehlo.constant dense<[-1.0]> : tensor<1xf32>
  %squares1_0d = tensor.cast %squares1_0 : tensor<1xf32> to tensor<?xf32>
  %squares1 = call @squares(%squares1_0d) : (tensor<?xf32>) -> tensor<?xf32>
  %squares1_r0 = tensor.cast %squares1 : tensor<?xf32> to tensor<1xf32>
  check.expect_eq_const %squares1_r0, dense<[1.0]> : tensor<1xf32>
  %running_sums0_0 = stablehlo.constant dense<[[-3.0, 0.0, 0.0, 2.0], [4.0, 3.0, 4.0, -4.0], [4.0, -1.0, 4.0, 1.0]]> : tensor<3x4xf32>
  %running_sums0_0d = tensor.cast %running_sums0_0 : tensor<3x4xf32> to tensor<?x4xf32>
  %running_sums0 = call @running_sums(%running_sums0_0d) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %running_sums0_r0 = tensor.cast %running_sums0 : tensor<?x4xf32> to tensor<3x4xf32>
  check.expect_eq_const %running_sums0_r0, dense<[[-3.0, -3.0, -3.0, -1.0], [4.0, 7.0, 11.0, 7.0], [4.0, 3.0, 7.0, 8.0]]> : tensor<3x4xf32>
  %running_sums1_0 = stablehlo.constant dense<[[2.0, -4.0, -4.0, 4.0]]> : tensor<1x4xf32>
  %running_sums1_0d = tensor.cast %running_sums1_0 : tensor<1x4xf32> to tensor<?x4xf32>
  %running_sums1 = call @running_sums(%running_sums1_0d) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %running_sums1_r0 = tensor.cast %running_sums1 : tensor<?x4xf32> to tensor<1x4xf32>
  check.expect_eq_const %running_sums1_r0, dense<[[2.0, -2.0, -6.0, -2.0]]> : tensor<1x4xf32>
  %sorted_pairs0_0 = stablehlo.constant dense<[[-1.0, 1.0], [3.0, 0.0], [4.0, 0.0], [-4.0, -3.0], [0.0, -4.0]]> : tensor<5x2xf32>
  %sorted_pairs0_0d = tensor.cast %sorted_pairs0_0 : tensor<5x2xf32> to tensor<?x?xf32>
  %sorted_pairs0_1 = stablehlo.constant dense<[[7, 6], [0, 8], [8, 7], [7, 0], [4, 0]]> : tensor<5x2xi32>
  %sorted_pairs0_1d = tensor.cast %sorted_pairs0_1 : tensor<5x2xi32> to tensor<?x?xi32>
  %sorted_pairs0:2 = call @sorted_pairs(%sorted_pairs0_0d, %sorted_pairs0_1d) : (tensor<?x?xf32>, tensor<?x?xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %sorted_pairs0_r0 = tensor.cast %sorted_pairs0#0 : tensor<?x?xf32> to tensor<5x2xf32>
  check.expect_eq_const %sorted_pairs0_r0, dense<[[-4.0, -4.0], [-1.0, -3.0], [0.0, 0.0], [3.0, 0.0], [4.0, 1.0]]> : tensor<5x2xf32>
  %sorted_pairs0_r1 = tensor.cast %sorted_pairs0#1 : tensor<?x?xi32> to tensor<5x2xi32>
  check.expect_eq_const %sorted_pairs0_r1, dense<[[7, 0], [7, 0], [4, 8], [0, 7], [8, 6]]> : tensor<5x2xi32>
  %sorted_pairs1_0 = stablehlo.constant dense<[[-2.0, 0.0, 0.0]]> : tensor<1x3xf32>
  %sorted_pairs1_0d = tensor.cast %sorted_pairs1_0 : tensor<1x3xf32> to tensor<?x?xf32>
  %sorted_pairs1_1 = stablehlo.constant dense<5> : tensor<1x3xi32>
  %sorted_pairs1_1d = tensor.cast %sorted_pairs1_1 : tensor<1x3xi32> to tensor<?x?xi32>
  %sorted_pairs1:2 = call @sorted_pairs(%sorted_pairs1_0d, %sorted_pairs1_1d) : (tensor<?x?xf32>, tensor<?x?xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %sorted_pairs1_r0 = tensor.cast %sorted_pairs1#0 : tensor<?x?xf32> to tensor<1x3xf32>
  check.expect_eq_const %sorted_pairs1_r0, dense<[[-2.0, 0.0, 0.0]]> : tensor<1x3xf32>
  %sorted_pairs1_r1 = tensor.cast %sorted_pairs1#1 : tensor<?x?xi32> to tensor<1x3xi32>
  check.expect_eq_const %sorted_pairs1_r1, dense<5> : tensor<1x3xi32>
  %largest0_0 = stablehlo.constant dense<[[2.0, 3.0, -3.0, 4.0, 3.0], [4.0, 2.0, -1.0, -2.0, 0.0], [-1.0, 4.0, 1.0, 2.0, 2.0]]> : tensor<3x5xf32>
  %largest0_0d = tensor.cast %largest0_0 : tensor<3x5xf32> to tensor<?x?xf32>
  %largest0:2 = call @largest(%largest0_0d) : (tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %largest0_r0 = tensor.cast %largest0#0 : tensor<?x2xf32> to tensor<3x2xf32>
  check.expect_eq_const %largest0_r0, dense<[[4.0, 3.0], [4.0, 2.0], [4.0, 2.0]]> : tensor<3x2xf32>
  %largest0_r1 = tensor.cast %largest0#1 : tensor<?x2xi32> to tensor<3x2xi32>
  check.expect_eq_const %largest0_r1, dense<[[3, 1], [0, 1], [1, 3]]> : tensor<3x2xi32>
  %largest1_0 = stablehlo.constant dense<[[-4.0, 3.0]]> : tensor<1x2xf32>
  %largest1_0d = tensor.cast %largest1_0 : tensor<1x2xf32> to tensor<?x?xf32>
  %largest1:2 = call @largest(%largest1_0d) : (tensor<?x?xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>)
  %largest1_r0 = tensor.cast %largest1#0 : tensor<?x2xf32> to tensor<1x2xf32>
  check.expect_eq_const %largest1_r0, dense<[[3.0, -4.0]]> : tensor<1x2xf32>
  %largest1_r1 = tensor.cast %largest1#1 : tensor<?x2xi32> to tensor<1x2xi32>
  check.expect_eq_const %largest1_r1, dense<[[1, 0]]> : tensor<1x2xi32>
  return
}
