// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @outfeed_token(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.outfeed' op operand #0 must be token, but got 'tensor<f32>'}}
  %0 = "stablehlo.outfeed"(%a) : (tensor<f32>) -> !stablehlo.token
  return
}

// -----

func.func @outfeed_result_type(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.outfeed' op result #0 must be token, but got 'tensor<f32>'}}
  %0 = "stablehlo.outfeed"(%a) : (!stablehlo.token) -> tensor<f32>
  return
}

// -----

func.func @outfeed_input_type(%a: !stablehlo.token, %b: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.outfeed' op operand #0 must be variadic of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values, but got '!stablehlo.token'}}
  %0 = "stablehlo.outfeed"(%a, %b) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}
