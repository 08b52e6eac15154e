// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @all_to_all_c1(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op attribute 'split_dimension' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 2 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_to_all_c2(%a: tensor<7x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op dimension 0 of operand 0 has size 7, but attribute 'split_count' is 2, which does not divide it}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<7x2xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @all_to_all_c3(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op attribute 'concat_dimension' has dimension 2, but operand 0 has rank 2}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_to_all_c4(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op attribute 'split_count' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_to_all_c5(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op attribute 'replica_groups' has 1 twice}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_to_all_c7(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op attribute 'replica_groups' has 5, but 2 processes are numbered from 0}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 5]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_to_all_c8(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op attribute 'replica_groups' has groups of size 4, but attribute 'split_count' is 2}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<8x2xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_to_all_c9(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op result 0 has shape 8x2, but the operands and attributes of the op imply shape 4x4}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @all_to_all_c9_element_type(%a: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>) -> tensor<4x4xf64>
  return
}

// -----

func.func @all_to_all_result_count(%a: tensor<8x2xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+1 {{'stablehlo.all_to_all' op has 1 results, but the operands and attributes imply 2}}
  %0 = "stablehlo.all_to_all"(%a, %b) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<4x4xf32>
  return
}
