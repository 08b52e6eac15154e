// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @expect_eq_const_types(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_eq_const' op failed to verify that all of {lhs, value} have same type}}
  "check.expect_eq_const"(%a) {value = dense<1.0> : tensor<3xf32>} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @expect_eq_const_attribute(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_eq_const' op requires attribute 'value'}}
  "check.expect_eq_const"(%a) : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @expect_eq_const_value(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_eq_const' op attribute 'value' failed to satisfy constraint: constant vector/tensor attribute}}
  "check.expect_eq_const"(%a) {value = 1.0 : f32} : (tensor<2xf32>) -> ()
  return
}
