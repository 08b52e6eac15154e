// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @expect_almost_eq_types(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'check.expect_almost_eq' op requires all operands to have the same type}}
  "check.expect_almost_eq"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @expect_almost_eq_integers(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'check.expect_almost_eq' op operand #0 must be tensor of floating-point or complex-type values, but got 'tensor<2xi32>'}}
  "check.expect_almost_eq"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}

// -----

func.func @expect_almost_eq_tolerance(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_almost_eq' op attribute 'tolerance' failed to satisfy constraint: 64-bit float attribute}}
  "check.expect_almost_eq"(%a, %b) {tolerance = 1.0 : f32} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
