// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @ragged_dot_ragged_count(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op 'lhs_ragged_dimensions' has 0 entries, but must have one}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], rhs_group_dimensions = [0]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_ragged_range(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op attribute 'lhs_ragged_dimensions' has dimension 2, but operand 0 has rank 2}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_group_count(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op 'rhs_group_dimensions' has 0 entries, but must have 1 where the ragged dimension is free}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_group_contracted(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op 'rhs_group_dimensions' and 'rhs_contracting_dimensions' both have 1}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_groups(%a: tensor<4x6xf32>, %b: tensor<5x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op dimension 0 of operand 1 has size 5, but there are 2 groups}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x6xf32>, tensor<5x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_contracting_size(%a: tensor<4x5xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op dimension 1 of operand 1 has size 6, but dimension 1 of operand 0 has size 5}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x5xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_contracting_count(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op 'rhs_contracting_dimensions' has 2 entries, but 'lhs_contracting_dimensions' has 1}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1, 2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_group_sizes_rank(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<i64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op operand 2 has rank 0, but it must have rank 1}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<i64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_group_sizes_type(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.ragged_dot' op operand #2 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<2xf32>'}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_precision(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op attribute 'precision_config' has 3 entries, but the op has 2 factors}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision HIGH>, #chlo<precision HIGH>, #chlo<precision HIGH>]} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @ragged_dot_result(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op result 0 has shape 3x4, but the operands and attributes of the op imply shape 4x3}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @ragged_dot_attribute(%a: tensor<4x6xf32>, %b: tensor<2x6x3xf32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'chlo.ragged_dot' op requires attribute 'ragged_dot_dimension_numbers'}}
  %0 = "chlo.ragged_dot"(%a, %b, %c) : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// -----

// expected-error @+2 {{unknown member 'ragged', expected one of: lhs_batching_dimensions, rhs_batching_dimensions, lhs_contracting_dimensions, rhs_contracting_dimensions, lhs_ragged_dimensions, rhs_group_dimensions}}
// expected-error @+1 {{cannot read the dimension numbers from here on}}
module attributes {a.b = #chlo.ragged_dot<ragged = [0]>} {}
