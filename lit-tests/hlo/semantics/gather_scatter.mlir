// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<5x8x3xf32>, %i: tensor<5x7x1xi32>, %u: tensor<5x7x3xf32>) {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>) -> tensor<5x7x3xf32>
  %1 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>, tensor<5x7x3xf32>) -> tensor<5x8x3xf32>
  return
}

// -----

func.func @gather_c1(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>) {
  // expected-error @+1 {{operand 0 has rank 2, but 'offset_dims', 'collapsed_slice_dims' and 'operand_batching_dims' have 1 entries together}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c2(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>) {
  // expected-error @+1 {{'index_vector_dim' is 3, but operand 1 has rank 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c3(%a: tensor<8x3xf32>, %i: tensor<7x2xi32>) {
  // expected-error @+1 {{'start_index_map' has 1 entries, but index vectors have 2}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x2xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c4(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>) {
  // expected-error @+1 {{'offset_dims' has 2 before 1, but must ascend}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x1x3xf32>
  return
}

// -----

func.func @gather_c9(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>) {
  // expected-error @+1 {{attribute 'slice_sizes' has 2 for dimension 0, which slices leave out and which must have size 0 or 1}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c17(%a: tensor<5x8x3xf32>, %i: tensor<6x7x1xi32>) {
  // expected-error @+1 {{dimension 0 of operand 1 has size 6, but dimension 0 of operand 0 has size 5}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<6x7x1xi32>) -> tensor<5x7x3xf32>
  return
}

// -----

func.func @gather_c21(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>) {
  // expected-error @+1 {{attribute 'slice_sizes' has 4 for dimension 1, but operand 0 has size 3 there}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c22(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>) {
  // expected-error @+1 {{result 0 has shape 3x7, but the operands and attributes of the op imply shape 7x3}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<3x7xf32>
  return
}

// -----

func.func @scatter_c4(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>, %u: tensor<6x3xf32>) {
  // expected-error @+1 {{operand 2 has shape 6x3, but its windows and the indices imply shape 7x3}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<6x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c4_window(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>, %u: tensor<7x4xf32>) {
  // expected-error @+1 {{dimension 1 of operand 2 has size 4, but the window of operand 0 has size 3 there}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c23(%a: tensor<8x3xf32>, %i: tensor<7x1xi32>, %u: tensor<7x3xf32>) {
  // expected-error @+1 {{region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}
