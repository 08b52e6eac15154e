// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @expect_serialized_eq_attribute(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_serialized_eq' op requires attribute 'probe_id'}}
  "check.expect_serialized_eq"(%a) : (tensor<2xf32>) -> ()
  return
}

// -----

func.func @expect_serialized_eq_operand_type(%a: !stablehlo.token) {
  // expected-error @+1 {{'check.expect_serialized_eq' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got '!stablehlo.token'}}
  "check.expect_serialized_eq"(%a) {probe_id = "p"} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @expect_serialized_eq_iter(%a: tensor<2xf32>) {
  // expected-error @+1 {{'check.expect_serialized_eq' op attribute 'iter' failed to satisfy constraint: 32-bit unsigned integer attribute}}
  "check.expect_serialized_eq"(%a) {probe_id = "p", iter = 1 : i64} : (tensor<2xf32>) -> ()
  return
}
