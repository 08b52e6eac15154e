// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @async_done_result_type(%a: !stablehlo.future<tensor<8xf32>>) {
  // expected-error @+1 {{'stablehlo.async_done' op result 0 has type tensor<9xf32>, but !stablehlo.future<tensor<8xf32>> holds tensor<8xf32>}}
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<8xf32>>) -> tensor<9xf32>
  return
}

// -----

func.func @async_done_result_count(%a: !stablehlo.future<tensor<8xf32>>) {
  // expected-error @+1 {{'stablehlo.async_done' op has 2 results, but the operands and attributes imply 1}}
  %0:2 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<8xf32>>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @async_done_operand_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.async_done' op operand #0 must be future, but got 'tensor<8xf32>'}}
  %0 = "stablehlo.async_done"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
