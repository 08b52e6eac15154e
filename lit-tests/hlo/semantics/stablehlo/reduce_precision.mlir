// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @reduce_precision_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<4xi32>'}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @reduce_precision_c1_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reduce_precision_c1_element_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op result 0 has element type f16, but operand 0 has element type f32}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @reduce_precision_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op attribute 'exponent_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 0 : i32, mantissa_bits = 10 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_c3(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op attribute 'mantissa_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = -1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_mantissa_bits(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op requires attribute 'mantissa_bits'}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_exponent_bits_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_precision' op attribute 'exponent_bits' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i64, mantissa_bits = 10 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_precision_format(%a: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.reduce_precision' expected a float format like 'e5m2', but got 'e5'}}
  %0 = stablehlo.reduce_precision %a, format = e5 : tensor<f32>
  return
}
