// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @slice_c1(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op requires the same element type for all operands and results}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @slice_c2(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op attribute 'strides' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<4x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_start(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op attribute 'start_indices' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c2_limit(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op attribute 'limit_indices' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1>, strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @slice_c3_start(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op attribute 'start_indices' has -2 for dimension 0, but must be at least 0}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: -2>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice_c3_order(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op dimension 0 starts at 3, but its limit is 2}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 3>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @slice_c3_limit(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op dimension 0 has limit 6, but operand 0 has size 4 there}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 3>, limit_indices = array<i64: 6>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice_c4(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op attribute 'strides' has 0 for dimension 0, but must be at least 1}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 0>, limit_indices = array<i64: 4>, strides = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_c5(%a: tensor<9xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op result 0 has shape 4, but the operands and attributes of the op imply shape 3}}
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 1>, limit_indices = array<i64: 9>, strides = array<i64: 3>} : (tensor<9xf32>) -> tensor<4xf32>
  return
}
