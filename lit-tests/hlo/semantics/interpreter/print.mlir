// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @print_operand_type(%a: !stablehlo.token) {
  // expected-error @+1 {{'interpreter.print' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values, but got '!stablehlo.token'}}
  "interpreter.print"(%a) : (!stablehlo.token) -> ()
  return
}

// -----

func.func @print_operand_count(%a: tensor<f32>, %b: tensor<f32>) {
  // expected-error @+1 {{'interpreter.print' op requires a single operand}}
  "interpreter.print"(%a, %b) : (tensor<f32>, tensor<f32>) -> ()
  return
}

// -----

func.func @print_result_count(%a: tensor<f32>) {
  // expected-error @+1 {{'interpreter.print' op requires zero results}}
  %0 = "interpreter.print"(%a) : (tensor<f32>) -> tensor<f32>
  return
}
