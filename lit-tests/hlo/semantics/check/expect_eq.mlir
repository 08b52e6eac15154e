// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @expect_eq_types(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'check.expect_eq' op requires all operands to have the same type}}
  "check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @expect_eq_element_types(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error @+1 {{'check.expect_eq' op requires all operands to have the same type}}
  "check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<2xf64>) -> ()
  return
}

// -----

func.func @expect_eq_operand_type(%a: !stablehlo.token, %b: !stablehlo.token) {
  // expected-error @+1 {{'check.expect_eq' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got '!stablehlo.token'}}
  "check.expect_eq"(%a, %b) : (!stablehlo.token, !stablehlo.token) -> ()
  return
}

// -----

func.func @expect_eq_operand_count(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_eq' op expected 2 operands, but found 1}}
  "check.expect_eq"(%a) : (tensor<2xf32>) -> ()
  return
}
