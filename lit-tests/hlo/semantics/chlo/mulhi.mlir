// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @mulhi_element_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.mulhi' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<4xf32>'}}
  %0 = "chlo.mulhi"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @mulhi_operand_shape(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{'chlo.mulhi' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "chlo.mulhi"(%a, %b) : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @mulhi_result_shape(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.mulhi' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "chlo.mulhi"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<5xi32>
  return
}

// -----

func.func @mulhi_operand_type(%a: tensor<4xi32>, %b: tensor<4xui32>) {
  // expected-error @+1 {{'chlo.mulhi' op operand 1 has element type ui32, but operand 0 has element type i32}}
  %0 = "chlo.mulhi"(%a, %b) : (tensor<4xi32>, tensor<4xui32>) -> tensor<4xi32>
  return
}

// -----

func.func @mulhi_result_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.mulhi' op result 0 has element type ui32, but operand 0 has element type i32}}
  %0 = "chlo.mulhi"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xui32>
  return
}
