// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @gather_c1(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op operand 0 has rank 2, but 'offset_dims', 'collapsed_slice_dims' and 'operand_batching_dims' have 1 entries together}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c2(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'index_vector_dim' is 3, but operand 1 has rank 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c3(%a: tensor<8x3xf32>, %b: tensor<7x2xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'start_index_map' has 1 entries, but index vectors have 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x2xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c4(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'offset_dims' has 2 before 1, but must ascend}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x1x3xf32>
  return
}

// -----

func.func @gather_c4_unique(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'offset_dims' has 1 before 1, but must ascend}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x1x3xf32>
  return
}

// -----

func.func @gather_c5(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'offset_dims' has dimension 5, but the result has rank 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [5], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c6(%a: tensor<8x3x2xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'collapsed_slice_dims' and 'operand_batching_dims' both have 0}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 2>} : (tensor<8x3x2xf32>, tensor<7x1xi32>) -> tensor<7x2xf32>
  return
}

// -----

func.func @gather_c7(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'collapsed_slice_dims' has 1 before 0, but must ascend}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7xf32>
  return
}

// -----

func.func @gather_c8(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'collapsed_slice_dims' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c9(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'slice_sizes' has 2 for dimension 0, which slices leave out and which must have size 0 or 1}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c10(%a: tensor<5x8x3xf32>, %b: tensor<8x5x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'operand_batching_dims' has 1 before 0, but must ascend}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<8x5x1xi32>) -> tensor<8x5x3xf32>
  return
}

// -----

func.func @gather_c11(%a: tensor<5x8xf32>, %b: tensor<5x7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'operand_batching_dims' has dimension 3, but operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>} : (tensor<5x8xf32>, tensor<5x7x1xi32>) -> tensor<5x7xf32>
  return
}

// -----

func.func @gather_c12(%a: tensor<5x8x3xf32>, %b: tensor<5x7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'slice_sizes' has 2 for dimension 0, which slices leave out and which must have size 0 or 1}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1, 3>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>) -> tensor<5x7x3xf32>
  return
}

// -----

func.func @gather_c13(%a: tensor<5x8x3xf32>, %b: tensor<5x5x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'start_indices_batching_dims' has 0 twice}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<5x5x1xi32>) -> tensor<5x5x3xf32>
  return
}

// -----

func.func @gather_c14(%a: tensor<5x8x3xf32>, %b: tensor<5x7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'start_indices_batching_dims' has dimension 4, but operand 1 has rank 3}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [4], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>) -> tensor<5x7x3xf32>
  return
}

// -----

func.func @gather_c15(%a: tensor<5x8x3xf32>, %b: tensor<5x7x5xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op 'start_indices_batching_dims' and 'index_vector_dim' both have 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1, 1, 1, 1, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<5x7x5xi32>) -> tensor<5x7x3xf32>
  return
}

// -----

func.func @gather_c16(%a: tensor<5x8x3xf32>, %b: tensor<5x7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'start_indices_batching_dims' has 0 entries, but 'operand_batching_dims' has 1}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>) -> tensor<5x7x3xf32>
  return
}

// -----

func.func @gather_c17(%a: tensor<5x8x3xf32>, %b: tensor<6x7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op dimension 0 of operand 1 has size 6, but dimension 0 of operand 0 has size 5}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 3>} : (tensor<5x8x3xf32>, tensor<6x7x1xi32>) -> tensor<5x7x3xf32>
  return
}

// -----

func.func @gather_c18(%a: tensor<8x3xf32>, %b: tensor<7x2xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'start_index_map' has 0 twice}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x2xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c19(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'start_index_map' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c20(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'slice_sizes' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c21(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'slice_sizes' has 4 for dimension 1, but operand 0 has size 3 there}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c22(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op result 0 has shape 3x7, but the operands and attributes of the op imply shape 7x3}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<3x7xf32>
  return
}

// -----

func.func @gather_c23(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xi32>) -> tensor<7x3xf64>
  return
}

// -----

func.func @gather_index_type(%a: tensor<8x3xf32>, %b: tensor<7x1xf32>) {
  // expected-error @+1 {{'stablehlo.gather' op operand #1 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<7x1xf32>'}}
  %0 = "stablehlo.gather"(%a, %b) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<8x3xf32>, tensor<7x1xf32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_without_elements(%a: tensor<4x1xui8>, %i: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.gather' op attribute 'slice_sizes' has 0 for a dimension that slices leave out, but the result has elements}}
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 0>} : (tensor<4x1xui8>, tensor<4xi32>) -> tensor<4xui8>
  return
}
