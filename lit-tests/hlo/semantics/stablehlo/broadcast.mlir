// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @broadcast_result(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast' op result 0 has shape 3x4, but the operands and attributes of the op imply shape 4x3}}
  %0 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 4>} : (tensor<3xi32>) -> tensor<3x4xi32>
  return
}

// -----

func.func @broadcast_negative(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast' op attribute 'broadcast_sizes' has -1 for dimension 0, but must be at least 0}}
  %0 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: -1>} : (tensor<3xi32>) -> tensor<?x3xi32>
  return
}

// -----

func.func @broadcast_element_type(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast' op requires the same element type for all operands and results}}
  %0 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 4>} : (tensor<3xi32>) -> tensor<4x3xi64>
  return
}

// -----

func.func @broadcast_attribute(%a: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.broadcast' op requires attribute 'broadcast_sizes'}}
  %0 = "stablehlo.broadcast"(%a) : (tensor<3xi32>) -> tensor<4x3xi32>
  return
}
