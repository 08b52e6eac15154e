// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @shift_right_logical_element_type(%a: tensor<4xi1>, %b: tensor<4xi1>) {
  // expected-error @+1 {{'stablehlo.shift_right_logical' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<4xi1>'}}
  %0 = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @shift_right_logical_c1_operand_shape(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{'stablehlo.shift_right_logical' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @shift_right_logical_c1_result_shape(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.shift_right_logical' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4x1xi32>
  return
}

// -----

func.func @shift_right_logical_c1_operand_type(%a: tensor<4xi32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{'stablehlo.shift_right_logical' op operand 1 has element type ui32, but operand 0 has element type i32}}
  %0 = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4xi32>, tensor<4xui32>) -> tensor<4xi32>
  return
}

// -----

func.func @shift_right_logical_c1_result_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.shift_right_logical' op result 0 has element type ui32, but operand 0 has element type i32}}
  %0 = "stablehlo.shift_right_logical"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}

// -----

func.func @shift_right_logical_c1_bound(%a: tensor<?xi32, #stablehlo.bounds<6>>, %b: tensor<7xi32>) {
  // expected-error @+1 {{'stablehlo.shift_right_logical' op operand 1 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.shift_right_logical"(%a, %b) : (tensor<?xi32, #stablehlo.bounds<6>>, tensor<7xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @shift_right_logical_operand_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.shift_right_logical' op expected 2 operands, but found 1}}
  %0 = "stablehlo.shift_right_logical"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @shift_right_logical_type_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{custom op 'stablehlo.shift_right_logical' expected the types of 2 operands, but got 1}}
  %0 = stablehlo.shift_right_logical %a, %a : (tensor<4xi32>) -> tensor<4xi32>
  return
}
