// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @triangular_solve_c1(%a: tensor<3x3xf32>, %b: tensor<3x2xf64>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op requires the same element type for all operands and results}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}

// -----

func.func @triangular_solve_c2(%a: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op operand 0 has rank 1, but must be a matrix or a batch of them}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @triangular_solve_c2_ranks(%a: tensor<2x3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op operand 1 has rank 2, but operand 0 has rank 3}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @triangular_solve_c3(%a: tensor<3x3xf32>, %b: tensor<4x3xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op dimension 0 of operand 1 has size 4, but operand 0 needs size 3}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @triangular_solve_c3_right(%a: tensor<3x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op dimension 1 of operand 1 has size 4, but operand 0 needs size 3}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @triangular_solve_c3_square(%a: tensor<3x4xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op operand 0 has matrices of 3 rows and 4 columns, but they must be square}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x4xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @triangular_solve_c3_batch(%a: tensor<2x3x3xf32>, %b: tensor<5x3x2xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op dimension 0 of operand 1 has size 5, but operand 0 needs size 2}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
  return
}

// -----

func.func @triangular_solve_c4(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op result 0 has shape 3x3, but operand 1 has shape 3x2}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @triangular_solve_transpose(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op attribute 'transpose_a' is TRANSPOSE_INVALID}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @triangular_solve_element_type(%a: tensor<3x3xi32>, %b: tensor<3x2xi32>) {
  // expected-error @+1 {{'stablehlo.triangular_solve' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements values, but got 'tensor<3x3xi32>'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<3x3xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}
