// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @not_element_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.not' op operand #0 must be ranked tensor of bool or 2/4/8/16/32/64-bit integer values, but got 'tensor<4xf32>'}}
  %0 = "stablehlo.not"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @not_operand_count(%a: tensor<4xi1>, %b: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.not' op requires a single operand}}
  %0 = "stablehlo.not"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @not_c1_shape(%a: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.not' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.not"(%a) : (tensor<4xi1>) -> tensor<5xi1>
  return
}

// -----

func.func @not_c1_rank(%a: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.not' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.not"(%a) : (tensor<4xi1>) -> tensor<4x1xi1>
  return
}

// -----

func.func @not_c1_element_type(%a: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.not' op result 0 has element type i8, but operand 0 has element type i1}}
  %0 = "stablehlo.not"(%a) : (tensor<4xi1>) -> tensor<4xi8>
  return
}

// -----

func.func @not_c1_bound(%a: tensor<?xi1, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.not' op result 0 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.not"(%a) : (tensor<?xi1, #stablehlo.bounds<6>>) -> tensor<7xi1>
  return
}

// -----

func.func @not_unranked(%a: tensor<*xi1>) {
  // expected-error @+1 {{'stablehlo.not' op operand #0 must be ranked tensor of bool or 2/4/8/16/32/64-bit integer values, but got 'tensor<*xi1>'}}
  %0 = "stablehlo.not"(%a) : (tensor<*xi1>) -> tensor<*xi1>
  return
}
