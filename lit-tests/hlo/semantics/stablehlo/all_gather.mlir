// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @all_gather_c1(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op attribute 'all_gather_dim' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c1_negative(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op attribute 'all_gather_dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c2(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op attribute 'replica_groups' has 0 twice}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c4(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op attribute 'replica_groups' has 5, but 2 processes are numbered from 0}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c4_rank(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op attribute 'replica_groups' has rank 1, but must be a matrix with a row for each group}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c6(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op dimension 1 of result 0 has size 5, but that of operand 0 has size 2, of which it must be a multiple}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x5xf32>
  return
}

// -----

func.func @all_gather_c6_other_dimension(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op result 0 has shape 7x4, but the operands and attributes of the op imply shape 8x?}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @all_gather_c6_element_type(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x4xf64>
  return
}

// -----

func.func @all_gather_result_count(%a: tensor<8x2xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op has 1 results, but the operands and attributes imply 2}}
  %0 = "stablehlo.all_gather"(%a, %b) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c5(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op attribute 'channel_handle' has number 0, but with 'use_global_device_ids' it must be at least 1}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, use_global_device_ids} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c5_no_channel(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op attribute 'channel_handle' has number 0, but with 'use_global_device_ids' it must be at least 1}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<8x2xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @all_gather_c6_nothing(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_gather' op dimension 1 of result 0 has size 0, but that of operand 0 has size 2, of which it must be a multiple}}
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x0xf32>
  return
}
