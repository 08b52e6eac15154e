// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @cross_replica_sum_result_shape(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.cross-replica-sum' op result 0 has shape 9, but operand 0 has shape 8}}
  %0 = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @cross_replica_sum_result_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.cross-replica-sum' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf64>
  return
}

// -----

func.func @cross_replica_sum_attribute(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.cross-replica-sum' op requires attribute 'replica_groups'}}
  %0 = "stablehlo.cross-replica-sum"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @cross_replica_sum_mesh_axes(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.cross-replica-sum' op attribute 'replica_groups' failed to satisfy constraint: 64-bit signless integer elements attribute}}
  %0 = "stablehlo.cross-replica-sum"(%a) {replica_groups = 1 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @cross_replica_sum_groups(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.cross-replica-sum' op attribute 'replica_groups' has 0 twice}}
  %0 = "stablehlo.cross-replica-sum"(%a) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}
