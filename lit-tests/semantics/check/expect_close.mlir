// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @expect_close_integers(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'check.expect_close' op operand #0 must be tensor of floating-point or complex-type values, but got 'tensor<2xi32>'}}
  "check.expect_close"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}

// -----

func.func @expect_close_difference(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_close' op attribute 'max_ulp_difference' failed to satisfy constraint: 64-bit unsigned integer attribute}}
  "check.expect_close"(%a, %b) {max_ulp_difference = 1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
