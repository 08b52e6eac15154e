// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @collective_broadcast_c1(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_broadcast' op attribute 'replica_groups' has 0 twice}}
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_broadcast_c3(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_broadcast' op result 0 has shape 9, but operand 0 has shape 8}}
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @collective_broadcast_c3_element_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_broadcast' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf64>
  return
}

// -----

func.func @collective_broadcast_attribute(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_broadcast' op requires attribute 'replica_groups'}}
  %0 = "stablehlo.collective_broadcast"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_broadcast_c2(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_broadcast' op attribute 'replica_groups' has -2, but processes are numbered from 0}}
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_broadcast_groups_rank(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_broadcast' op attribute 'replica_groups' has rank 1, but must be a matrix with a row for each group}}
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}
