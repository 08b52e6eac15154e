// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @reverse_c1(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.reverse' op result 0 has shape 3x2, but operand 0 has shape 2x3}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return
}

// -----

func.func @reverse_c1_element_type(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.reverse' op requires the same element type for all operands and results}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 0>} : (tensor<2x3xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c2(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.reverse' op attribute 'dimensions' has 1 twice}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 1, 1>} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @reverse_c3(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.reverse' op attribute 'dimensions' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: 2>} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @reverse_c3_negative(%a: tensor<2x3xi32>) {
  // expected-error @+1 {{'stablehlo.reverse' op attribute 'dimensions' has dimension -1, but operand 0 has rank 2}}
  %0 = "stablehlo.reverse"(%a) {dimensions = array<i64: -1>} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}
