// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @uniform_quantize_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized or per-axis integer quantized values, but got 'tensor<4xi32>'}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xi32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @uniform_quantize_result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op result #0 must be ranked tensor of per-tensor integer quantized or per-axis integer quantized values, but got 'tensor<4xi8>'}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @uniform_quantize_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @uniform_quantize_c2(%a: tensor<4xf64>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op result 0 expresses f32, but operand 0 has f64}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf64>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @uniform_quantize_c2_quantized(%a: tensor<4x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op result 0 expresses f32, but operand 0 has f16}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4x!quant.uniform<i8:f16, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @uniform_quantize_zero_point(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op result 0 has type tensor<4x!quant.uniform<i8:f32, 5.000000e-01:200>>, whose zero point 200 is not between -128 and 127}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:200>>
  return
}

// -----

func.func @uniform_quantize_scales(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op result 0 has type tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, which has 2 scales for a dimension of size 4}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @uniform_quantize_axis(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.uniform_quantize' op result 0 has type tensor<4x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>, which is quantized along dimension 1, but has rank 1}}
  %0 = "stablehlo.uniform_quantize"(%a) : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}
