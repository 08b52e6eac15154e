// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @after_all_operand_type(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.after_all' op operand #0 must be variadic of token, but got 'tensor<f32>'}}
  %0 = "stablehlo.after_all"(%a) : (tensor<f32>) -> !stablehlo.token
  return
}

// -----

func.func @after_all_result_type(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.after_all' op result #0 must be token, but got 'tensor<f32>'}}
  %0 = "stablehlo.after_all"(%a) : (!stablehlo.token) -> tensor<f32>
  return
}

// -----

func.func @after_all_pretty_type(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.after_all' op operand #0 must be variadic of token, but got 'tensor<f32>'}}
  %0 = stablehlo.after_all %a : tensor<f32>
  return
}
