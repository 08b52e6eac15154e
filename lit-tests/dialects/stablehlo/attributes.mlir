// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Attributes and types on their own.

// CHECK: a.algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
// CHECK-SAME: a.alias = #stablehlo.output_operand_alias<output_tuple_indices = [0, 1], operand_index = 2, operand_tuple_indices = []>
// CHECK-SAME: a.bounds = #stablehlo.bounds<?, 7>
// CHECK-SAME: a.channel = #stablehlo.channel_handle<handle = 3, type = 1>
// CHECK-SAME: a.conv = #stablehlo.conv<[b, f, 1, 0]x[o, i, 0, 1]->[0, b, f, 1]>
// CHECK-SAME: a.distribution = #stablehlo<rng_distribution NORMAL>
// CHECK-SAME: a.dot = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>
// CHECK-SAME: a.empty = #stablehlo.scatter<>
// CHECK-SAME: a.fft = #stablehlo<fft_type IRFFT>
// CHECK-SAME: a.gather = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>
// CHECK-SAME: a.mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>
// CHECK-SAME: a.precision = #stablehlo<precision HIGHEST>
// CHECK-SAME: a.rng = #stablehlo<rng_algorithm PHILOX>
// CHECK-SAME: a.scatter = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
// CHECK-SAME: a.transpose = #stablehlo<transpose ADJOINT>
module attributes {
  a.dot = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>,
  a.gather = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
  a.scatter = #stablehlo.scatter<index_vector_dim = 2, update_window_dims = [1, 2], inserted_window_dims = [0], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],>,
  a.empty = #stablehlo.scatter<>,
  a.conv = #stablehlo.conv<raw
    input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [3, 2],
    kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [2, 3],
    output_batch_dimension = 1, output_feature_dimension = 2, output_spatial_dimensions = [0, 3]>,
  a.channel = #stablehlo.channel_handle<handle = 3, type = 1>,
  a.alias = #stablehlo.output_operand_alias<output_tuple_indices = [0, 1], operand_index = 2, operand_tuple_indices = []>,
  a.algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>,
  a.bounds = #stablehlo.bounds<?, 7>,
  a.mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>,
  a.precision = #stablehlo<precision HIGHEST>,
  a.transpose = #stablehlo<transpose ADJOINT>,
  a.fft = #stablehlo<fft_type IRFFT>,
  a.rng = #stablehlo<rng_algorithm PHILOX>,
  a.distribution = #stablehlo<rng_distribution NORMAL>
} {
  // CHECK: func.func private @types(!stablehlo.token, !stablehlo.future<tensor<2xf32>, tensor<i32>>, tuple<tensor<f32>, tuple<>>)
  func.func private @types(!stablehlo.token, !stablehlo.future<tensor<2xf32>, tensor<i32>>, tuple<tensor<f32>, tuple<>>)

  // CHECK: func.func private @bounds(tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<f32, #stablehlo.bounds<>>)
  func.func private @bounds(
    tensor<?x4xf32, #stablehlo.bounds<3, ?>>,
    tensor<?x4xf32, #stablehlo.type_extensions<bounds = [3, ?]>>,
    tensor<f32, #stablehlo.bounds<>>)

  // CHECK: func.func private @floats(tensor<f4E2M1FN>, tensor<f6E2M3FN>, tensor<f6E3M2FN>, tensor<f8E3M4>, tensor<f8E4M3>, tensor<f8E4M3FN>, tensor<f8E4M3FNUZ>, tensor<f8E4M3B11FNUZ>, tensor<f8E5M2>, tensor<f8E5M2FNUZ>, tensor<f8E8M0FNU>)
  func.func private @floats(
    tensor<f4E2M1FN>, tensor<f6E2M3FN>, tensor<f6E3M2FN>, tensor<f8E3M4>, tensor<f8E4M3>,
    tensor<f8E4M3FN>, tensor<f8E4M3FNUZ>, tensor<f8E4M3B11FNUZ>, tensor<f8E5M2>,
    tensor<f8E5M2FNUZ>, tensor<f8E8M0FNU>)
}
