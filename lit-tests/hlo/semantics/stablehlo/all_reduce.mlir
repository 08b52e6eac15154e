// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @all_reduce_c1(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op attribute 'replica_groups' has 0 twice}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c3(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op attribute 'replica_groups' has 5, but 2 processes are numbered from 0}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c4(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op attribute 'channel_handle' has number 0, but with 'use_global_device_ids' it must be at least 1}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c4_channel(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op attribute 'channel_handle' has number 0, but with 'use_global_device_ids' it must be at least 1}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c5_arguments(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c5_returns(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c5_rank(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op value 0 returned by region 0 has shape 8, but must be a scalar}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<8xf32>, %y: tensor<8xf32>):
    stablehlo.return %x : tensor<8xf32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c5_argument_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op operand 0 has element type f32, which is not promotable to element type i32 of value 0 returned by region 0}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @all_reduce_c6(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op result 0 has shape 9, but the operands and attributes of the op imply shape 8}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @all_reduce_c7(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf64>
  return
}

// -----

func.func @all_reduce_result_count(%a: tensor<8xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.all_reduce' op has 1 results, but the operands and attributes imply 2}}
  %0 = "stablehlo.all_reduce"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}
