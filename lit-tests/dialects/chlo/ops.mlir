// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// All ops of the dialect.

// CHECK-LABEL: func.func @unary(
// CHECK: %0 = chlo.acos %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %1 = chlo.acosh %arg1 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
// CHECK: %2 = chlo._asin_acos_kernel %arg1 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
// CHECK: %3 = chlo.asin %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %4 = chlo.asinh %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %5 = chlo.atan %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %6 = chlo.atanh %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %7 = chlo.bessel_i1e %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %8 = chlo.conj %arg1 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
// CHECK: %9 = chlo.cosh %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %10 = chlo.digamma %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %11 = chlo.erf %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %12 = chlo.erf_inv %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %13 = chlo.erfc %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %14 = chlo.lgamma %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %15 = chlo.sinh %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %16 = chlo.square %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %17 = chlo.tan %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %18 = chlo.is_inf %arg0 : tensor<3xf32> -> tensor<3xi1>
// CHECK: %19 = chlo.is_neg_inf %arg0 : tensor<3xf32> -> tensor<3xi1>
// CHECK: %20 = chlo.is_pos_inf %arg0 : tensor<3xf32> -> tensor<3xi1>
func.func @unary(%f: tensor<3xf32>, %c: tensor<3xcomplex<f64>>) {
  %0 = chlo.acos %f : tensor<3xf32> -> tensor<3xf32>
  %1 = chlo.acosh %c : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %2 = chlo._asin_acos_kernel %c : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %3 = chlo.asin %f : tensor<3xf32> -> tensor<3xf32>
  %4 = chlo.asinh %f : tensor<3xf32> -> tensor<3xf32>
  %5 = chlo.atan %f : tensor<3xf32> -> tensor<3xf32>
  %6 = chlo.atanh %f : tensor<3xf32> -> tensor<3xf32>
  %7 = chlo.bessel_i1e %f : tensor<3xf32> -> tensor<3xf32>
  %8 = chlo.conj %c : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %9 = chlo.cosh %f : tensor<3xf32> -> tensor<3xf32>
  %10 = chlo.digamma %f : tensor<3xf32> -> tensor<3xf32>
  %11 = chlo.erf %f : tensor<3xf32> -> tensor<3xf32>
  %12 = chlo.erf_inv %f : tensor<3xf32> -> tensor<3xf32>
  %13 = chlo.erfc %f : tensor<3xf32> -> tensor<3xf32>
  %14 = chlo.lgamma %f : tensor<3xf32> -> tensor<3xf32>
  %15 = chlo.sinh %f : tensor<3xf32> -> tensor<3xf32>
  %16 = chlo.square %f : tensor<3xf32> -> tensor<3xf32>
  %17 = chlo.tan %f : tensor<3xf32> -> tensor<3xf32>
  %18 = chlo.is_inf %f : tensor<3xf32> -> tensor<3xi1>
  %19 = chlo.is_neg_inf %f : tensor<3xf32> -> tensor<3xi1>
  %20 = chlo.is_pos_inf %f : tensor<3xf32> -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @binary(
// CHECK: %0 = chlo.mulhi %arg1, %arg1 : tensor<3xui32>, tensor<3xui32> -> tensor<3xui32>
// CHECK: %1 = chlo.next_after %arg0, %arg0 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
// CHECK: %2 = chlo.polygamma %arg0, %arg0 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
// CHECK: %3 = chlo.zeta %arg0, %arg0 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
func.func @binary(%f: tensor<3xf32>, %i: tensor<3xui32>) {
  %0 = chlo.mulhi %i, %i : tensor<3xui32>, tensor<3xui32> -> tensor<3xui32>
  %1 = chlo.next_after %f, %f : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %2 = chlo.polygamma %f, %f : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %3 = chlo.zeta %f, %f : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @broadcasting(
// CHECK: %0 = chlo.broadcast_add %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %1 = chlo.broadcast_add %arg0, %arg1 {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %2 = chlo.broadcast_and %arg2, %arg3 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %3 = chlo.broadcast_atan2 %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %4 = chlo.broadcast_compare %arg0, %arg1 {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK: %5 = chlo.broadcast_complex %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
// CHECK: %6 = chlo.broadcast_divide %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %7 = chlo.broadcast_maximum %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %8 = chlo.broadcast_minimum %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %9 = chlo.broadcast_multiply %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %10 = chlo.broadcast_next_after %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %11 = chlo.broadcast_or %arg2, %arg3 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %12 = chlo.broadcast_polygamma %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %13 = chlo.broadcast_power %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %14 = chlo.broadcast_remainder %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %15 = chlo.broadcast_select %arg4, %arg0, %arg1 : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %16 = chlo.broadcast_shift_left %arg2, %arg3 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %17 = chlo.broadcast_shift_right_arithmetic %arg2, %arg3 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %18 = chlo.broadcast_shift_right_logical %arg2, %arg3 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %19 = chlo.broadcast_subtract %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %20 = chlo.broadcast_xor %arg2, %arg3 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %21 = chlo.broadcast_zeta %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
func.func @broadcasting(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %i: tensor<2x3xi32>, %j: tensor<i32>, %p: tensor<2x1xi1>) {
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = chlo.broadcast_and %i, %j : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  %3 = chlo.broadcast_atan2 %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = chlo.broadcast_compare %a, %b {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %5 = chlo.broadcast_complex %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %6 = chlo.broadcast_divide %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %7 = chlo.broadcast_maximum %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %8 = chlo.broadcast_minimum %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %9 = chlo.broadcast_multiply %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %10 = chlo.broadcast_next_after %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %11 = chlo.broadcast_or %i, %j : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  %12 = chlo.broadcast_polygamma %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %13 = chlo.broadcast_power %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %14 = chlo.broadcast_remainder %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %15 = chlo.broadcast_select %p, %a, %b : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %16 = chlo.broadcast_shift_left %i, %j : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  %17 = chlo.broadcast_shift_right_arithmetic %i, %j : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  %18 = chlo.broadcast_shift_right_logical %i, %j : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  %19 = chlo.broadcast_subtract %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %20 = chlo.broadcast_xor %i, %j : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  %21 = chlo.broadcast_zeta %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @others(
// CHECK: %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK: %1 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
// CHECK: %2 = "chlo.ragged_dot"(%arg0, %arg2, %arg1) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
func.func @others(%a: tensor<4x6xf32>, %g: tensor<2xi64>, %w: tensor<2x6x3xf32>) {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = "chlo.constant_like"(%a) <{value = 1.000000e+00 : f32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %values, %indices = chlo.top_k(%a, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  %2 = "chlo.ragged_dot"(%a, %w, %g) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @scan(
// CHECK: %0:2 = chlo.scan(%arg0) inits (%arg2) dimension=0  {
// CHECK: ^bb0(%input: tensor<3xf32>, %carry: tensor<3xf32>):
// CHECK: %2 = stablehlo.add %input, %carry : tensor<3xf32>
// CHECK: stablehlo.return %2, %2 : tensor<3xf32>, tensor<3xf32>
// CHECK: } : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
// CHECK: %1:3 = chlo.scan(%arg0, %arg1) inits (%arg2) dimension=0  attributes {is_associative = false, is_reverse = true, scan_dim_size = 5 : i64} {
// CHECK: ^bb0(%input: tensor<3xf32>, %input_0: tensor<2xi32>, %carry: tensor<3xf32>):
// CHECK: stablehlo.return %input, %input_0, %carry : tensor<3xf32>, tensor<2xi32>, tensor<3xf32>
// CHECK: } : (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>)
func.func @scan(%a: tensor<5x3xf32>, %b: tensor<5x2xi32>, %z: tensor<3xf32>) {
  %0:2 = chlo.scan(%a) inits (%z) dimension=0  {
  ^bb0(%input: tensor<3xf32>, %carry: tensor<3xf32>):
    %2 = stablehlo.add %input, %carry : tensor<3xf32>
    stablehlo.return %2, %2 : tensor<3xf32>, tensor<3xf32>
  } : (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  %1:3 = chlo.scan(%a, %b) inits (%z) dimension=0  attributes {is_associative = false, is_reverse = true, scan_dim_size = 5 : i64} {
  ^bb0(%input: tensor<3xf32>, %input_0: tensor<2xi32>, %carry: tensor<3xf32>):
    stablehlo.return %input, %input_0, %carry : tensor<3xf32>, tensor<2xi32>, tensor<3xf32>
  } : (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<5x2xi32>, tensor<3xf32>)
  return
}
