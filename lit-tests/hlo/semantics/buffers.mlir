// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @Pin(%a) : (tensor<2xf32>) -> memref<2xf32>
  %1 = stablehlo.custom_call @update(%0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
  %2 = stablehlo.custom_call @Unpin(%1) : (memref<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @CreateBuffer() : () -> memref<2xf32>
  return %2 : tensor<2xf32>
}

// -----

func.func @create(%a: tensor<2xf32>) {
  // expected-error @+1 {{has 1 operands and 1 results, but 'CreateBuffer' has 0 and 1}}
  %0 = stablehlo.custom_call @CreateBuffer(%a) : (tensor<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @pin(%a: tensor<2xf32>) {
  // expected-error @+1 {{result 0 has type tensor<2xf32>, but that of 'Pin' is a buffer}}
  %0 = stablehlo.custom_call @Pin(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @unpin(%a: memref<2xf32>) {
  // expected-error @+1 {{result 0 has type tensor<3xf32>, but 'Unpin' keeps shape and elements of memref<2xf32>}}
  %0 = stablehlo.custom_call @Unpin(%a) : (memref<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @new_buffer(%a: memref<2xf32>) {
  // expected-error @+1 {{attribute 'output_operand_aliases' says of no operand that it becomes the buffer [] of the output}}
  %0 = stablehlo.custom_call @update(%a) : (memref<2xf32>) -> memref<2xf32>
  return
}

// -----

func.func @twice(%a: memref<2xf32>) {
  // expected-error @+1 {{attribute 'output_operand_aliases' has the buffer [] of operand 0 more than once}}
  %0:2 = stablehlo.custom_call @update(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>, #stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  return
}
