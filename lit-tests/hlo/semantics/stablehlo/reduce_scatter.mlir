// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @reduce_scatter_c3(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op attribute 'replica_groups' has 1 twice}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c2(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op attribute 'scatter_dimension' has dimension 1, but operand 0 has rank 1}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c2_negative(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op attribute 'scatter_dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c5(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op attribute 'replica_groups' has 5, but 2 processes are numbered from 0}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c6(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op attribute 'channel_handle' has number 0, but with 'use_global_device_ids' it must be at least 1}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c7(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c7_returns(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c8(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op dimension 0 of result 0 has size 3, which does not divide size 8 of operand 0}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_scatter_c8_other_dimension(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op result 0 has shape 4x3, but the operands and attributes of the op imply shape ?x2}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @reduce_scatter_c9(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.reduce_scatter' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<4xf64>
  return
}
