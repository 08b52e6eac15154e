// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @scatter_c1(%a: tensor<8x3xf32>, %b: tensor<8x4xf32>, %c: tensor<7x1xi32>, %d: tensor<7x3xf32>, %e: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op operand 1 has shape 8x4, but operand 0 has shape 8x3}}
  %0:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<8x4xf32>, tensor<7x1xi32>, tensor<7x3xf32>, tensor<7x3xf32>) -> (tensor<8x3xf32>, tensor<8x4xf32>)
  return
}

// -----

func.func @scatter_c2(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op operand 0 has rank 2, but 'update_window_dims', 'inserted_window_dims' and 'input_batching_dims' have 1 entries together}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c3(%a: tensor<8x3xf32>, %b: tensor<8x3xf32>, %c: tensor<7x1xi32>, %d: tensor<7x3xf32>, %e: tensor<6x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op operand 4 has shape 6x3, but operand 3 has shape 7x3}}
  %0:2 = "stablehlo.scatter"(%a, %b, %c, %d, %e) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>, tensor<6x3xf32>) -> (tensor<8x3xf32>, tensor<8x3xf32>)
  return
}

// -----

func.func @scatter_c4(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<6x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op operand 2 has shape 6x3, but its windows and the indices imply shape 7x3}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<6x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c4_window(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x4xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op dimension 1 of operand 2 has size 4, but the window of operand 0 has size 3 there}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c6(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf64>) {
  // expected-error @+1 {{'stablehlo.scatter' op operand 2 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf64>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c7(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x8x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op 'update_window_dims' has 2 before 1, but must ascend}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x8x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c8(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'update_window_dims' has dimension 2, but operand 2 has rank 2}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c9(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op 'inserted_window_dims' and 'input_batching_dims' both have 0}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c10(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op 'inserted_window_dims' has 1 before 0, but must ascend}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c11(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'inserted_window_dims' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c12(%a: tensor<5x8x3xf32>, %b: tensor<8x5x1xi32>, %c: tensor<8x5x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op 'input_batching_dims' has 1 before 0, but must ascend}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>} : (tensor<5x8x3xf32>, tensor<8x5x1xi32>, tensor<8x5x3xf32>) -> tensor<5x8x3xf32>
  return
}

// -----

func.func @scatter_c13(%a: tensor<5x8x3xf32>, %b: tensor<5x7x1xi32>, %c: tensor<5x7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'input_batching_dims' has dimension 3, but operand 0 has rank 3}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>, tensor<5x7x3xf32>) -> tensor<5x8x3xf32>
  return
}

// -----

func.func @scatter_c14(%a: tensor<5x5x3xf32>, %b: tensor<5x7x1xi32>, %c: tensor<5x7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'scatter_indices_batching_dims' has 0 twice}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>} : (tensor<5x5x3xf32>, tensor<5x7x1xi32>, tensor<5x7x3xf32>) -> tensor<5x5x3xf32>
  return
}

// -----

func.func @scatter_c15(%a: tensor<5x8x3xf32>, %b: tensor<5x7x1xi32>, %c: tensor<5x7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'scatter_indices_batching_dims' has dimension 3, but operand 1 has rank 3}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>, tensor<5x7x3xf32>) -> tensor<5x8x3xf32>
  return
}

// -----

func.func @scatter_c16(%a: tensor<5x8x3xf32>, %b: tensor<5x7x1xi32>, %c: tensor<5x7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op 'scatter_indices_batching_dims' and 'index_vector_dim' both have 2}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>, tensor<5x7x3xf32>) -> tensor<5x8x3xf32>
  return
}

// -----

func.func @scatter_c17(%a: tensor<5x8x3xf32>, %b: tensor<5x7x1xi32>, %c: tensor<5x7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'scatter_indices_batching_dims' has 0 entries, but 'input_batching_dims' has 1}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<5x8x3xf32>, tensor<5x7x1xi32>, tensor<5x7x3xf32>) -> tensor<5x8x3xf32>
  return
}

// -----

func.func @scatter_c18(%a: tensor<5x8x3xf32>, %b: tensor<6x7x1xi32>, %c: tensor<6x7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op dimension 0 of operand 1 has size 6, but dimension 0 of operand 0 has size 5}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>} : (tensor<5x8x3xf32>, tensor<6x7x1xi32>, tensor<6x7x3xf32>) -> tensor<5x8x3xf32>
  return
}

// -----

func.func @scatter_c19(%a: tensor<8x3xf32>, %b: tensor<7x2xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op 'scatter_dims_to_operand_dims' has 1 entries, but index vectors have 2}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x2xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c20(%a: tensor<8x3xf32>, %b: tensor<7x2xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'scatter_dims_to_operand_dims' has 0 twice}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x2xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c21(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op attribute 'scatter_dims_to_operand_dims' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c22(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op 'index_vector_dim' is 3, but operand 1 has rank 2}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c23_arguments(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c23_returns(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @scatter_c24(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op result 0 has shape 8x4, but the operands and attributes of the op imply shape 8x3}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @scatter_c25(%a: tensor<8x3xf32>, %b: tensor<7x1xi32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xi32>, tensor<7x3xf32>) -> tensor<8x3xf64>
  return
}

// -----

func.func @scatter_index_type(%a: tensor<8x3xf32>, %b: tensor<7x1xf32>, %c: tensor<7x3xf32>) {
  // expected-error @+1 {{'stablehlo.scatter' op operand #1 must be ranked tensor of integer or index values, but got 'tensor<7x1xf32>'}}
  %0 = "stablehlo.scatter"(%a, %b, %c) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<8x3xf32>, tensor<7x1xf32>, tensor<7x3xf32>) -> tensor<8x3xf32>
  return
}
