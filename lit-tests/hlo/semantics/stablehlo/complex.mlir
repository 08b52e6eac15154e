// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @complex_element_type(%a: tensor<4xf16>, %b: tensor<4xf16>) {
  // expected-error @+1 {{'stablehlo.complex' op operand #0 must be ranked tensor of 32/64-bit float values, but got 'tensor<4xf16>'}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @complex_c1(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'stablehlo.complex' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @complex_c1_shape(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.complex' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @complex_c2(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.complex' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @complex_c3(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.complex' op result 0 has element type complex<f64>, but the operands and attributes of the op imply complex<f32>}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xcomplex<f64>>
  return
}

// -----

func.func @complex_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.complex' op result #0 must be ranked tensor of complex type with 32/64-bit float elements values, but got 'tensor<4xf32>'}}
  %0 = "stablehlo.complex"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @complex_type(%a: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.complex' expected a tensor of complex numbers}}
  %0 = stablehlo.complex %a, %a : tensor<f32>
  return
}
