// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @clamp_c1(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.clamp' op operand 0 has shape 3, but operand 1 has shape 4}}
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<3xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c2(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<2x2xf32>) {
  // expected-error @+1 {{'stablehlo.clamp' op operand 2 has shape 2x2, but operand 1 has shape 4}}
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4xf32>, tensor<2x2xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c3(%a: tensor<f64>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.clamp' op requires the same element type for all operands and results}}
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<f64>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c4(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.clamp' op result 0 has shape 5, but operand 1 has shape 4}}
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @clamp_c4_element_type(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.clamp' op requires the same element type for all operands and results}}
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf64>
  return
}

// -----

func.func @clamp_c4_scalar(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.clamp' op result 0 has shape of a scalar, but operand 1 has shape 4}}
  %0 = "stablehlo.clamp"(%a, %b, %c) : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
