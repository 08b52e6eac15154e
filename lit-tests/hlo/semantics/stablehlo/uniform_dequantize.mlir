// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @uniform_dequantize_element_type(%a: tensor<4xi8>) {
  // expected-error @+1 {{'stablehlo.uniform_dequantize' op operand #0 must be ranked tensor of per-tensor integer quantized or per-axis integer quantized values, but got 'tensor<4xi8>'}}
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<4xi8>) -> tensor<4xf32>
  return
}

// -----

func.func @uniform_dequantize_result_type(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.uniform_dequantize' op result #0 must be ranked tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xi8>'}}
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xi8>
  return
}

// -----

func.func @uniform_dequantize_c1(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.uniform_dequantize' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<5xf32>
  return
}

// -----

func.func @uniform_dequantize_c2(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.uniform_dequantize' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf64>
  return
}

// -----

func.func @uniform_dequantize_axis(%a: tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.uniform_dequantize' op operand 0 has type tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, which has 2 scales for a dimension of size 4}}
  %0 = "stablehlo.uniform_dequantize"(%a) : (tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<4xf32>
  return
}
