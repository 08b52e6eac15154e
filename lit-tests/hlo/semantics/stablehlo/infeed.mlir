// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @infeed_c1(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.infeed' op has no results, but must give a token}}
  "stablehlo.infeed"(%a) : (!stablehlo.token) -> ()
  return
}

// -----

func.func @infeed_token(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.infeed' op result 0 has type tensor<8xf32>, but must be a token}}
  %0 = "stablehlo.infeed"(%a) : (!stablehlo.token) -> tensor<8xf32>
  return
}

// -----

func.func @infeed_token_first(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.infeed' op result 0 has type !stablehlo.token, but must be a tensor}}
  %0:2 = "stablehlo.infeed"(%a) : (!stablehlo.token) -> (!stablehlo.token, tensor<8xf32>)
  return
}

// -----

func.func @infeed_layout_count(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.infeed' op attribute 'layout' has 0 entries, but the payload has 1 tensors}}
  %0:2 = "stablehlo.infeed"(%a) {layout = []} : (!stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_dynamic(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.infeed' op result #0 must be variadic of statically shaped tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or statically shaped tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values or token, but got 'tensor<?xf32>'}}
  %0:2 = "stablehlo.infeed"(%a) : (!stablehlo.token) -> (tensor<?xf32>, !stablehlo.token)
  return
}

// -----

func.func @infeed_token_type(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.infeed' op operand #0 must be token, but got 'tensor<f32>'}}
  %0 = "stablehlo.infeed"(%a) : (tensor<f32>) -> !stablehlo.token
  return
}

// -----

// Layouts that do not order the dimensions say nothing, as upstream has it.

func.func @infeed_layout(%a: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%a) {layout = [[0]]} : (!stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%0#1) {layout = [[0, 0]]} : (!stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token)
  %2:2 = "stablehlo.infeed"(%1#1) {layout = [[0, 2]]} : (!stablehlo.token) -> (tensor<8x4xf32>, !stablehlo.token)
  return
}
