module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>) -> (tensor<4x3xf32>, tensor<2x2xf32>) {
    %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%arg2: tensor<2x3xf32>):
      %4 = "stablehlo.all_gather"(%arg2) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>], device_ids=dense<[0, 1, 2, 3, 4, 5, 7, 6]> : tensor<8xi64>>, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
      stablehlo.return %4 : tensor<4x3xf32>
    }) : (tensor<2x3xf32>) -> !stablehlo.future<tensor<4x3xf32>>
    %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x3xf32>>) -> tensor<4x3xf32>
    %2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %3 = stablehlo.exponential %2 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x2xf32>
    return %1, %3 : tensor<4x3xf32>, tensor<2x2xf32>
  }
}
