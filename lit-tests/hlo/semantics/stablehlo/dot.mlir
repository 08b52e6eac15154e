// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dot_sizes(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op the last dimension of operand 0 has size 3, but the first of operand 1 has size 4}}
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_rank(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op operand 0 has rank 3, but must be a vector or a matrix}}
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_scalar(%a: tensor<f32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.dot' op operand 0 has rank 0, but must be a vector or a matrix}}
  %0 = "stablehlo.dot"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @dot_result(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op result 0 has shape 5x2, but the operands and attributes of the op imply shape 2x5}}
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @dot_precision(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error @+1 {{'stablehlo.dot' op attribute 'precision_config' has 3 entries, but the op has 2 operands}}
  %0 = "stablehlo.dot"(%a, %b) {precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @dot_unknown_precision(%a: tensor<2xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.dot' unknown precision 'LOW'}}
  %0 = stablehlo.dot %a, %a, precision = [LOW] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}
