// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @partition_id_result_type() {
  // expected-error @+1 {{'stablehlo.partition_id' op result #0 must be ranked tensor of 32-bit unsigned integer values, but got 'tensor<i32>'}}
  %0 = "stablehlo.partition_id"() : () -> tensor<i32>
  return
}

// -----

func.func @partition_id_result_rank() {
  // expected-error @+1 {{'stablehlo.partition_id' op result 0 has shape 1, but the operands and attributes of the op imply shape of a scalar}}
  %0 = "stablehlo.partition_id"() : () -> tensor<1xui32>
  return
}

// -----

func.func @partition_id_operand_count(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.partition_id' op requires zero operands}}
  %0 = "stablehlo.partition_id"(%a) : (tensor<f32>) -> tensor<ui32>
  return
}
