// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @imag_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.imag' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements values, but got 'tensor<4xi32>'}}
  %0 = "stablehlo.imag"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @imag_operand_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.imag' op requires a single operand}}
  %0 = "stablehlo.imag"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @imag_c1_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.imag' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.imag"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @imag_c1_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.imag' op result 0 has shape 4x1, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.imag"(%a) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @imag_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.imag' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.imag"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @imag_c2_complex(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+1 {{'stablehlo.imag' op result 0 has element type f32, but the operands and attributes of the op imply f64}}
  %0 = "stablehlo.imag"(%a) : (tensor<4xcomplex<f64>>) -> tensor<4xf32>
  return
}

// -----

func.func @imag_complex_result(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+1 {{'stablehlo.imag' op result #0 must be ranked tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xcomplex<f64>>'}}
  %0 = "stablehlo.imag"(%a) : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return
}
