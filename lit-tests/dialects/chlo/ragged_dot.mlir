// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @free(
// CHECK: %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
func.func @free(%a: tensor<4x6xf32>, %w: tensor<2x6x3xf32>, %g: tensor<2xi64>) {
  %0 = "chlo.ragged_dot"(%a, %w, %g) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @contracted(
// CHECK: %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> {tag} : (tensor<4x6xbf16>, tensor<6x3xbf16>, tensor<2xi32>) -> tensor<2x4x3xf32>
func.func @contracted(%a: tensor<4x6xbf16>, %b: tensor<6x3xbf16>, %g: tensor<2xi32>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> {tag} : (tensor<4x6xbf16>, tensor<6x3xbf16>, tensor<2xi32>) -> tensor<2x4x3xf32>
  return
}

// CHECK-LABEL: func.func @batched(
// CHECK: %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<5x4x6xf32>, tensor<5x6x3xf32>, tensor<2xi64>) -> tensor<5x4x3xf32>
func.func @batched(%a: tensor<5x4x6xf32>, %b: tensor<5x6x3xf32>, %g: tensor<2xi64>) {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<5x4x6xf32>, tensor<5x6x3xf32>, tensor<2xi64>) -> tensor<5x4x3xf32>
  return
}
