// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @collective_reduce_arguments(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_reduce' op region 0 has 1 arguments, but must have 2}}
  %0 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_reduce_returns(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_reduce' op region 0 returns 0 values, but must return 1}}
  %0 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @collective_reduce_result_shape(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_reduce' op result 0 has shape 9, but the operands and attributes of the op imply shape 8}}
  %0 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<9xf32>
  return
}

// -----

func.func @collective_reduce_result_type(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_reduce' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf64>
  return
}

// -----

func.func @collective_reduce_groups(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.collective_reduce' op attribute 'replica_groups' has 1 twice}}
  %0 = "stablehlo.collective_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}
