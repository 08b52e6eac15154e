// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Products, solvers, transforms, batch normalization, random numbers.

// CHECK-LABEL: func.func @products(
// CHECK: %0 = stablehlo.dot %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %1 = stablehlo.dot %arg0, %arg1, precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %3 = stablehlo.dot_general %arg2, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
// CHECK: %4 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
// CHECK: %5 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %6 = stablehlo.einsum %arg0, %arg1, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %7 = stablehlo.unary_einsum %arg0, config = "ab->b" : (tensor<2x3xf32>) -> tensor<3xf32>
func.func @products(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %x: tensor<5x2x3xf32>, %y: tensor<5x3x4xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot %a, %b, precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  %4 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3x3x4xf32>
  %5 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %6 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %7 = stablehlo.unary_einsum %a, config = "ab->b" : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @convolutions(
// CHECK: %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
// CHECK: %1 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 1, 0, f], window = {stride = [2, 1], pad = {{\[\[}}1, 1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x3x4x2xf32>
// CHECK: %2 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [f, b, 0]x[o, i, 0]->[f, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x1x8xf32>, tensor<4x1x3xf32>) -> tensor<4x1x6xf32>
func.func @convolutions(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x2xf32>, %b: tensor<4x1x8xf32>, %l: tensor<4x1x3xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x6x6x2xf32>
  %1 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 1, 0, f], window = {stride = [2, 1], pad = [[1, 1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) -> tensor<1x3x4x2xf32>
  %2 = stablehlo.convolution(%b, %l) dim_numbers = [f, b, 0]x[o, i, 0]->[f, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x1x8xf32>, tensor<4x1x3xf32>) -> tensor<4x1x6xf32>
  return
}

// CHECK-LABEL: func.func @solvers_and_transforms(
// CHECK: %0 = stablehlo.cholesky %arg0 : tensor<4x4xf64>
// CHECK: %1 = stablehlo.cholesky %arg0, lower = true : tensor<4x4xf64>
// CHECK: %2 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
// CHECK: %3 = stablehlo.fft %arg2, type = IFFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
// CHECK: %4 = stablehlo.fft %arg3, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
func.func @solvers_and_transforms(%a: tensor<4x4xf64>, %b: tensor<4x2xf64>, %c: tensor<3x8xcomplex<f32>>, %r: tensor<8xf32>) {
  %0 = stablehlo.cholesky %a : tensor<4x4xf64>
  %1 = stablehlo.cholesky %a, lower = true : tensor<4x4xf64>
  %2 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf64>, tensor<4x2xf64>) -> tensor<4x2xf64>
  %3 = stablehlo.fft %c, type = IFFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  %4 = stablehlo.fft %r, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @batch_norm(
// CHECK: %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg1) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
// CHECK: %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%arg0, %arg1, %arg1, %arg1, %arg0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
func.func @batch_norm(%a: tensor<2x3xf32>, %v: tensor<3xf32>) {
  %0 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%a, %v, %v) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %grad_operand, %grad_scale, %grad_offset = "stablehlo.batch_norm_grad"(%a, %v, %v, %v, %a) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: func.func @random(
// CHECK: %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
// CHECK: %0 = stablehlo.rng %arg0, %arg0, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
// CHECK: %output_state, %output = stablehlo.rng_bit_generator %arg1, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
func.func @random(%a: tensor<f32>, %k: tensor<2xui64>) {
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %a, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %output_state, %output = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}
