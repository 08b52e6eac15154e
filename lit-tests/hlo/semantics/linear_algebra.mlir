// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<2x3x4xf32>, %b: tensor<2x?x5xf32>, %m: tensor<7x7xf32>, %c: tensor<3x8xf64>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x?x5xf32>) -> tensor<2x3x5xf32>
  %1 = stablehlo.dot %m, %m : (tensor<7x7xf32>, tensor<7x7xf32>) -> tensor<7x7xf32>
  %2 = stablehlo.cholesky %m, lower = true : tensor<7x7xf32>
  %3 = stablehlo.fft %c, type = RFFT, length = [8] : (tensor<3x8xf64>) -> tensor<3x5xcomplex<f64>>
  %4 = stablehlo.fft %3, type = IRFFT, length = [8] : (tensor<3x5xcomplex<f64>>) -> tensor<3x8xf64>
  return
}

// -----

func.func @dot(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{the last dimension of operand 0 has size 3, but the first of operand 1 has size 4}}
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_rank(%a: tensor<2x3x4xf32>) {
  // expected-error @+1 {{operand 0 has rank 3, but must be a vector or a matrix}}
  %0 = stablehlo.dot %a, %a : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dot_general_c1(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'rhs_batching_dimensions' has 0 entries, but 'lhs_batching_dimensions' has 1}}
  %0 = stablehlo.dot_general %a, %a, batching_dims = [0] x [], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot_general_c2(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'rhs_contracting_dimensions' has 2 entries, but 'lhs_contracting_dimensions' has 1}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1, 0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dot_general_c3(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'lhs_batching_dimensions' and 'lhs_contracting_dimensions' both have 1}}
  %0 = stablehlo.dot_general %a, %a, batching_dims = [1] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @dot_general_c8(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{attribute 'rhs_contracting_dimensions' has dimension 2, but operand 1 has rank 2}}
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [2] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot_general_c9(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{dimension 0 of operand 1 has size 4, but dimension 0 of operand 0 has size 2}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @dot_general_c10(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{dimension 0 of operand 1 has size 4, but dimension 1 of operand 0 has size 3}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dot_general_c12(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{result 0 has shape 4x2, but the operands and attributes of the op imply shape 2x4}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @cholesky_c2(%a: tensor<3xf32>) {
  // expected-error @+1 {{operand 0 has rank 1, but must be a matrix or a batch of them}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3xf32>
  return
}

// -----

func.func @cholesky_c3(%a: tensor<3x4xf32>) {
  // expected-error @+1 {{operand 0 has matrices of 3 rows and 4 columns, but they must be square}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x4xf32>
  return
}

// -----

func.func @triangular_solve_c3(%a: tensor<3x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{dimension 0 of operand 1 has size 4, but operand 0 needs size 3}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @fft_c1(%a: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{operand 0 has rank 1, but attribute 'fft_length' has 2 entries}}
  %0 = stablehlo.fft %a, type = FFT, length = [8, 8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2(%a: tensor<8xf32>) {
  // expected-error @+1 {{operand 0 has element type f32, which FFT does not transform}}
  %0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c4(%a: tensor<8xf32>) {
  // expected-error @+1 {{dimension 0 of operand 0 has size 8, but 'fft_length' implies 9}}
  %0 = stablehlo.fft %a, type = RFFT, length = [9] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @fft_c5(%a: tensor<8xf32>) {
  // expected-error @+1 {{result 0 has shape 8, but the operands and attributes of the op imply shape 5}}
  %0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @batch_norm_c1(%a: tensor<2x3xf32>, %v: tensor<3xf32>) {
  // expected-error @+1 {{attribute 'feature_index' has dimension 2, but operand 0 has rank 2}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %v, %v) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_c4(%a: tensor<2x3xf32>, %v: tensor<3xf32>, %w: tensor<2xf32>) {
  // expected-error @+1 {{operand 2 has shape 2, but the feature dimension of operand 0 implies shape 3}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %v, %w) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
