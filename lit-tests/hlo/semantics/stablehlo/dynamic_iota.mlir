// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_iota_c1(%a: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op attribute 'iota_dimension' has dimension 2, but result 0 has rank 2}}
  %0 = "stablehlo.dynamic_iota"(%a) {iota_dimension = 2 : i64} : (tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_iota_c1_negative(%a: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op attribute 'iota_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.dynamic_iota"(%a) {iota_dimension = -1 : i64} : (tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_iota_c2(%a: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op result 0 has shape ?x?x?, but the operands and attributes of the op imply shape ?x?}}
  %0 = "stablehlo.dynamic_iota"(%a) {iota_dimension = 0 : i64} : (tensor<2xi32>) -> tensor<?x?x?xi32>
  return
}

// -----

func.func @dynamic_iota_output_shape(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op operand #0 must be statically shaped 1-dimensional tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.dynamic_iota"(%a) {iota_dimension = 0 : i64} : (tensor<2xf32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_iota_dynamic_rank(%a: tensor<?xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op operand #0 must be statically shaped 1-dimensional tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<?xi32>'}}
  %0 = "stablehlo.dynamic_iota"(%a) {iota_dimension = 0 : i64} : (tensor<?xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_iota_c2_constant() {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  // expected-error @+1 {{'stablehlo.dynamic_iota' op result 0 has shape 2x3, but the operands and attributes of the op imply shape 3x2}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @dynamic_iota_boolean(%s: tensor<1xi64>) {
  // expected-error @+1 {{'stablehlo.dynamic_iota' op result #0 must be ranked tensor of 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<?xi1>'}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xi1>
  return
}
