// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @and_element_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.and' op operand #0 must be ranked tensor of bool or 2/4/8/16/32/64-bit integer values, but got 'tensor<4xf32>'}}
  %0 = "stablehlo.and"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @and_c1_operand_shape(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{'stablehlo.and' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.and"(%a, %b) : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @and_c1_result_shape(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.and' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.and"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4x1xi32>
  return
}

// -----

func.func @and_c1_operand_type(%a: tensor<4xi32>, %b: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.and' op operand 1 has element type i1, but operand 0 has element type i32}}
  %0 = "stablehlo.and"(%a, %b) : (tensor<4xi32>, tensor<4xi1>) -> tensor<4xi32>
  return
}

// -----

func.func @and_c1_result_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.and' op result 0 has element type i1, but operand 0 has element type i32}}
  %0 = "stablehlo.and"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @and_c1_bound(%a: tensor<?xi32, #stablehlo.bounds<6>>, %b: tensor<7xi32>) {
  // expected-error @+1 {{'stablehlo.and' op operand 1 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.and"(%a, %b) : (tensor<?xi32, #stablehlo.bounds<6>>, tensor<7xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @and_operand_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.and' op expected 2 operands, but found 1}}
  %0 = "stablehlo.and"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @and_type_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{custom op 'stablehlo.and' expected the types of 2 operands, but got 1}}
  %0 = stablehlo.and %a, %a : (tensor<4xi32>) -> tensor<4xi32>
  return
}
