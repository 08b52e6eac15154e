// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @collective_permute_c1(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_permute' op attribute 'source_target_pairs' has shape [1, 3], but must have a source and a target in each row}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_permute_c1_rank(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_permute' op attribute 'source_target_pairs' has shape [2], but must have a source and a target in each row}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[0, 1]> : tensor<2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_permute_c2(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_permute' op attribute 'source_target_pairs' has 0 twice as source}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_permute_c3(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_permute' op attribute 'source_target_pairs' has 1 twice as target}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_permute_c4(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_permute' op attribute 'source_target_pairs' has -1, but processes are numbered from 0}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_permute_c5(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_permute' op result 0 has shape 9, but operand 0 has shape 8}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @collective_permute_c5_element_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_permute' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf64>
  return
}
