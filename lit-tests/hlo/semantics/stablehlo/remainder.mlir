// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @remainder_element_type(%a: tensor<4xi1>, %b: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.remainder' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<4xi1>'}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @remainder_c1_operand_shape(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.remainder' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @remainder_c1_result_shape(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.remainder' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @remainder_c1_operand_type(%a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+1 {{'stablehlo.remainder' op operand 1 has element type f16, but operand 0 has element type f32}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @remainder_c1_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.remainder' op result 0 has element type f16, but operand 0 has element type f32}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @remainder_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>, %b: tensor<7xf32>) {
  // expected-error @+1 {{'stablehlo.remainder' op operand 1 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<7xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @remainder_operand_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.remainder' op expected 2 operands, but found 1}}
  %0 = "stablehlo.remainder"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @remainder_type_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.remainder' expected the types of 2 operands, but got 1}}
  %0 = stablehlo.remainder %a, %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @remainder_quantized_per_axis(%a: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %b: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.remainder' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>'}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @remainder_quantized_storage(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.remainder' op operand 1 has element type !quant.uniform<i16:f32, 5.000000e-01>, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = "stablehlo.remainder"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i16:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}
