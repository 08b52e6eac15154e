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

// -----

func.func @expect_close_shape(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'check.expect_close' op operand 1 has shape 3, but operand 0 has shape 2}}
  check.expect_close %a, %b : tensor<2xf32>, tensor<3xf32>
  return
}

// -----

func.func @expect_close_element_type(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error @+1 {{'check.expect_close' op operand 1 has element type f64, but operand 0 has element type f32}}
  check.expect_close %a, %b : tensor<2xf32>, tensor<2xf64>
  return
}

// -----

func.func @expect_close_range(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_close' op attribute 'min_ulp_difference' is 2, but attribute 'max_ulp_difference' is 1}}
  check.expect_close %a, %b, max_ulp_difference = 1, min_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

func.func @expect_close_range_of_default(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_close' op attribute 'min_ulp_difference' is 4, but attribute 'max_ulp_difference' is 3}}
  check.expect_close %a, %b, min_ulp_difference = 4 : tensor<2xf32>, tensor<2xf32>
  return
}
