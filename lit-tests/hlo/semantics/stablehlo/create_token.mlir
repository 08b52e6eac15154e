// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @create_token_result_type() {
  // expected-error @+1 {{'stablehlo.create_token' op result #0 must be token, but got 'tensor<f32>'}}
  %0 = "stablehlo.create_token"() : () -> tensor<f32>
  return
}

// -----

func.func @create_token_operand_count(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.create_token' op requires zero operands}}
  %0 = "stablehlo.create_token"(%a) : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @create_token_result_count() {
  // expected-error @+1 {{'stablehlo.create_token' op requires one result}}
  "stablehlo.create_token"() : () -> ()
  return
}
