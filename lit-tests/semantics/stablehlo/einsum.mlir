// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @einsum_config(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op requires attribute 'einsum_config'}}
  %0 = "stablehlo.einsum"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_config_type(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op attribute 'einsum_config' failed to satisfy constraint: string attribute}}
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = 1 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_operand_count(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op expected 2 operands, but found 1}}
  %0 = "stablehlo.einsum"(%a) {einsum_config = "ab,bc->ac"} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_unranked(%a: tensor<*xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<*xf32>'}}
  %0 = "stablehlo.einsum"(%a, %b) {einsum_config = "ab,bc->ac"} : (tensor<*xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
