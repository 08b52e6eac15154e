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

// -----

func.func @einsum_arrow(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op attribute 'einsum_config' is "ab,bc", which has no '->'}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_inputs(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op attribute 'einsum_config' is "ab->a", which has 1 inputs, but there are 2 operands}}
  %0 = stablehlo.einsum %a, %b, config = "ab->a" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_rank(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op operand 1 has rank 2, but attribute 'einsum_config' has 3 letters for it}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bcd->acd" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_rank_below_ellipsis(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op operand 0 has rank 2, but attribute 'einsum_config' has 3 letters for it}}
  %0 = stablehlo.einsum %a, %b, config = "abc...,bd->ad" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_sizes(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op operand 1 has size 4 for 'b' of attribute 'einsum_config', but another dimension of that letter has size 3}}
  %0 = stablehlo.einsum %a, %b, config = "ab,cb->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_letter(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op attribute 'einsum_config' is "a1,bc->ac", which has '1' where a letter must be}}
  %0 = stablehlo.einsum %a, %b, config = "a1,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_result_letter(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op attribute 'einsum_config' is "ab,bc->ad", which has 'd' in the result alone}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ad" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_result_twice(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op attribute 'einsum_config' is "ab,bc->aac", which has 'a' twice in the result}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->aac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_shape(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op result 0 has shape 2x4, but the operands and attributes of the op imply shape 4x2}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ca" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_ellipsis(%a: tensor<6x2x3xf32>, %b: tensor<5x3x4xf32>) {
  // expected-error @+1 {{'stablehlo.einsum' op '...' of attribute 'einsum_config' stands for dimensions of sizes 5 and 6, which do not broadcast}}
  %0 = stablehlo.einsum %a, %b, config = "...ab,...bc->...ac" : (tensor<6x2x3xf32>, tensor<5x3x4xf32>) -> tensor<6x2x4xf32>
  return
}

// -----

func.func @einsum_accepted(%a: tensor<6x2x3xf32>, %b: tensor<1x3x4xf32>, %c: tensor<?x?xf32>) {
  %0 = stablehlo.einsum %a, %b, config = "...ab,...bc->...ac" : (tensor<6x2x3xf32>, tensor<1x3x4xf32>) -> tensor<6x2x4xf32>
  %1 = stablehlo.einsum %a, %c, config = "nab, bc -> nac" : (tensor<6x2x3xf32>, tensor<?x?xf32>) -> tensor<6x2x?xf32>
  %2 = stablehlo.einsum %a, %a, config = "...,...->" : (tensor<6x2x3xf32>, tensor<6x2x3xf32>) -> tensor<f32>
  return
}
