// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @probe_result_type(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.probe' op failed to verify that all of {operand, result} have same type}}
  %0 = "interpreter.probe"(%a) {probe_id = "p"} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @probe_attribute(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.probe' op requires attribute 'probe_id'}}
  %0 = "interpreter.probe"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @probe_operand_type(%a: !stablehlo.token) {
  // expected-error @+1 {{'interpreter.probe' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values, but got '!stablehlo.token'}}
  %0 = "interpreter.probe"(%a) {probe_id = "p"} : (!stablehlo.token) -> !stablehlo.token
  return
}
