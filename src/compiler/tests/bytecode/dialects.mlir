// Every attribute and type of stablehlo and chlo that bytecode has a code for,
// and some that it has as text.
module attributes {
  test.algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>,
  test.alias = #stablehlo.output_operand_alias<output_tuple_indices = [1, 0], operand_index = 2, operand_tuple_indices = []>,
  test.axis = #stablehlo.axis_ref<name = "x">,
  test.bounds = #stablehlo.bounds<3, ?>,
  test.channel = #stablehlo.channel_handle<handle = 5, type = 2>,
  test.chlo_direction = #chlo<comparison_direction GE>,
  test.chlo_precision = #chlo<precision HIGHEST>,
  test.chlo_type = #chlo<comparison_type TOTALORDER>,
  test.conv = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
  test.direction = #stablehlo<comparison_direction LT>,
  test.dot = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [0, 2]>,
  test.fft = #stablehlo<fft_type IRFFT>,
  test.gather = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2, 1], index_vector_dim = 3>,
  test.groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>,
  test.mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>], device_ids=dense<[3, 2, 1, 0]> : tensor<4xi64>>,
  test.mesh_axis = #stablehlo.mesh_axis<name = "z", size = 8>,
  test.accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 2.500000e-01, ulps = 7, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>,
  test.precision = #stablehlo<precision HIGH>,
  test.ragged = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>,
  test.random = [#stablehlo<rng_algorithm PHILOX>, #stablehlo<rng_distribution NORMAL>],
  test.scatter = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>,
  test.transpose = #stablehlo<transpose ADJOINT>,
  test.type = #stablehlo<comparison_type UNSIGNED>
} {
  func.func private @types(!stablehlo.token, !stablehlo.future<tensor<2xf32>, tensor<3xi8>>, tensor<?x4xf32, #stablehlo.bounds<3, ?>>)
  func.func private @narrow(tensor<2xf4E2M1FN>, tensor<2xf6E2M3FN>, tensor<2xf6E3M2FN>, tensor<2xf8E3M4>, tensor<2xf8E4M3>, tensor<2xf8E4M3FN>, tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3B11FNUZ>, tensor<2xf8E5M2>, tensor<2xf8E5M2FNUZ>, tensor<2xf8E8M0FNU>)
  func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<2x2xf32>, tensor<2x3xi1>, tensor<2x3xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = stablehlo.compare LT, %a, %a, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %2 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
    return %0, %1, %2 : tensor<2x2xf32>, tensor<2x3xi1>, tensor<2x3xf32>
  }
}
