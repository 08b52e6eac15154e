// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @expect_almost_eq_const_types(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_almost_eq_const' op failed to verify that all of {lhs, value} have same type}}
  "check.expect_almost_eq_const"(%a) {value = dense<1.0> : tensor<2xf64>} : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @expect_almost_eq_const_integers(%a: tensor<2xi32>) {
  // expected-error @+1 {{'check.expect_almost_eq_const' op operand #0 must be tensor of floating-point or complex-type values, but got 'tensor<2xi32>'}}
  "check.expect_almost_eq_const"(%a) {value = dense<1> : tensor<2xi32>} : (tensor<2xi32>) -> ()
  return
}

// -----

func.func @expect_almost_eq_const_attribute(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_almost_eq_const' op requires attribute 'value'}}
  "check.expect_almost_eq_const"(%a) : (tensor<2xf32>) -> ()
  return
}
