// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @get_dimension_size_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.get_dimension_size' op attribute 'dimension' has dimension 1, but operand 0 has rank 1}}
  %0 = "stablehlo.get_dimension_size"(%a) {dimension = 1 : i64} : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_c1_negative(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.get_dimension_size' op attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.get_dimension_size"(%a) {dimension = -1 : i64} : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

func.func @get_dimension_size_result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.get_dimension_size' op result #0 must be ranked tensor of 32-bit signless integer values, but got 'tensor<i64>'}}
  %0 = "stablehlo.get_dimension_size"(%a) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<i64>
  return
}

// -----

func.func @get_dimension_size_result_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.get_dimension_size' op result 0 has shape 1, but the operands and attributes of the op imply shape of a scalar}}
  %0 = "stablehlo.get_dimension_size"(%a) {dimension = 0 : i64} : (tensor<4xf32>) -> tensor<1xi32>
  return
}
