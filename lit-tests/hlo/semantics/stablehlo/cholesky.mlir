// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @cholesky_c1(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{'stablehlo.cholesky' op requires the same element type for all operands and results}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf64>
  return
}

// -----

func.func @cholesky_c1_shape(%a: tensor<3x3xf32>) {
  // expected-error @+1 {{'stablehlo.cholesky' op result 0 has shape 4x4, but operand 0 has shape 3x3}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @cholesky_c2(%a: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.cholesky' op operand 0 has rank 1, but must be a matrix or a batch of them}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cholesky_c3(%a: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.cholesky' op operand 0 has matrices of 3 rows and 4 columns, but they must be square}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @cholesky_element_type(%a: tensor<3x3xi32>) {
  // expected-error @+1 {{'stablehlo.cholesky' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<3x3xi32>'}}
  %0 = "stablehlo.cholesky"(%a) {lower = true} : (tensor<3x3xi32>) -> tensor<3x3xi32>
  return
}
