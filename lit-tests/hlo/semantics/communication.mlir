// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @valid(%a: tensor<8x2xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  %1 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %2:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return
}

// -----

func.func @all_gather_c2(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{attribute 'replica_groups' has 0 twice}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c4(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{attribute 'replica_groups' has 5, but 2 processes are numbered from 0}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c6(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{dimension 1 of result 0 has size 5, but that of operand 0 has size 2, of which it must be a multiple}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @all_reduce_c4(%a: tensor<8xf32>) {
  // expected-error @+1 {{attribute 'channel_handle' has number 0, but with 'use_global_device_ids' it must be at least 1}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @reduce_scatter_c8(%a: tensor<8xf32>) {
  // expected-error @+1 {{dimension 0 of result 0 has size 3, which does not divide size 8 of operand 0}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @all_to_all_c2(%a: tensor<7x2xf32>) {
  // expected-error @+1 {{dimension 0 of operand 0 has size 7, but attribute 'split_count' is 2, which does not divide it}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<7x2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @collective_permute_c3(%a: tensor<8xf32>) {
  // expected-error @+1 {{attribute 'source_target_pairs' has 1 twice as target}}
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @send_c1(%a: tensor<8xf32>, %t: !stablehlo.token) {
  // expected-error @+1 {{attribute 'channel_handle' has type 2, but 'is_host_transfer' is false, which needs type 1}}
  %0 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_c3(%t: !stablehlo.token) {
  // expected-error @+1 {{result 0 has type tensor<2xi32>, but must be a token}}
  %0 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> tensor<2xi32>
  return
}

// -----

func.func @infeed_c1(%t: !stablehlo.token) {
  // expected-error @+1 {{has no results, but must give a token}}
  "stablehlo.infeed"(%t) : (!stablehlo.token) -> ()
  return
}
