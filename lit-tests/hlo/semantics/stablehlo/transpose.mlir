// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @transpose_c1(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.transpose' op result 0 has element type f32, but the operands and attributes of the op imply i32}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @transpose_c2(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.transpose' op attribute 'permutation' has 0 twice}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 0, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @transpose_c2_range(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.transpose' op attribute 'permutation' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 2>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @transpose_c2_count(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.transpose' op attribute 'permutation' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @transpose_c3(%a: tensor<2x3x4xi32>) {
  // expected-error @+1 {{'stablehlo.transpose' op result 0 has shape 4x3x2, but the operands and attributes of the op imply shape 4x2x3}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xi32>) -> tensor<4x3x2xi32>
  return
}

// -----

func.func @transpose_c4(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.transpose' op result 0 is quantized along dimension 0, but the quantized dimension of operand 0 becomes dimension 1}}
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @transpose_attribute(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.transpose' op requires attribute 'permutation'}}
  %0 = "stablehlo.transpose"(%a) : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return
}
