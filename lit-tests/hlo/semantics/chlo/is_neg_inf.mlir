// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @is_neg_inf_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.is_neg_inf' op operand #0 must be tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xi32>'}}
  %0 = "chlo.is_neg_inf"(%a) : (tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @is_neg_inf_complex(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'chlo.is_neg_inf' op operand #0 must be tensor of 4/6/8/16/32/64-bit float values, but got 'tensor<4xcomplex<f32>>'}}
  %0 = "chlo.is_neg_inf"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @is_neg_inf_result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.is_neg_inf' op result #0 must be tensor of bool values, but got 'tensor<4xf32>'}}
  %0 = "chlo.is_neg_inf"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @is_neg_inf_result_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.is_neg_inf' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "chlo.is_neg_inf"(%a) : (tensor<4xf32>) -> tensor<5xi1>
  return
}

// -----

func.func @is_neg_inf_operand_count() {
  // expected-error @+1 {{'chlo.is_neg_inf' op requires a single operand}}
  %0 = "chlo.is_neg_inf"() : () -> tensor<4xi1>
  return
}
