// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @types(%a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{'check.expect_eq' op requires all operands to have the same type}}
  "check.expect_eq"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}

// -----

func.func @integers(%a: tensor<2xi32>) {
  // expected-error @+1 {{'check.expect_close' op operand #0 must be tensor of floating-point or complex-type values}}
  check.expect_close %a, %a : tensor<2xi32>, tensor<2xi32>
  return
}
