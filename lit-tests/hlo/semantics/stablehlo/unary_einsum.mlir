// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @unary_einsum_config(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op requires attribute 'einsum_config'}}
  %0 = "stablehlo.unary_einsum"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_config_type(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op attribute 'einsum_config' failed to satisfy constraint: string attribute}}
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_operand_count(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op requires a single operand}}
  %0 = "stablehlo.unary_einsum"(%a, %b) {einsum_config = "ab->a"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<*xf32>'}}
  %0 = "stablehlo.unary_einsum"(%a) {einsum_config = "ab->a"} : (tensor<*xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_arrow(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op attribute 'einsum_config' is "ab", which has no '->'}}
  %0 = stablehlo.unary_einsum %a, config = "ab" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_inputs(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op attribute 'einsum_config' is "a,b->a", which has 2 inputs, but there are 1 operands}}
  %0 = stablehlo.unary_einsum %a, config = "a,b->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_rank(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op operand 0 has rank 2, but attribute 'einsum_config' has 3 letters for it}}
  %0 = stablehlo.unary_einsum %a, config = "abc->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_sizes(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op operand 0 has size 3 for 'a' of attribute 'einsum_config', but another dimension of that letter has size 2}}
  %0 = stablehlo.unary_einsum %a, config = "aa->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unary_einsum_shape(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.unary_einsum' op result 0 has shape 2, but the operands and attributes of the op imply shape 3}}
  %0 = stablehlo.unary_einsum %a, config = "ab->b" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}
