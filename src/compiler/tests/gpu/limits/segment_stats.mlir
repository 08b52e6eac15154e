module @jit_seg attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100000x16xf32>, %arg1: tensor<100000xi32>) -> (tensor<1000x16xf32> {jax.result_info = "result[0]"}, tensor<1000x16xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1000x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<100000xi32>) -> tensor<100000x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<1000x16xf32>, tensor<100000x1xi32>, tensor<100000x16xf32>) -> tensor<1000x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1000x16xf32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<100000xi32>) -> tensor<100000x1xi32>
    %5 = "stablehlo.scatter"(%3, %4, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<1000x16xf32>, tensor<100000x1xi32>, tensor<100000x16xf32>) -> tensor<1000x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<100000xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1000xf32>
    %8 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<100000xi32>) -> tensor<100000x1xi32>
    %9 = "stablehlo.scatter"(%7, %8, %6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %13 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %13 : tensor<f32>
    }) : (tensor<1000xf32>, tensor<100000x1xi32>, tensor<100000xf32>) -> tensor<1000xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<1000xf32>) -> tensor<1000x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1000x1xf32>) -> tensor<1000x16xf32>
    %12 = stablehlo.divide %2, %11 : tensor<1000x16xf32>
    return %12, %5 : tensor<1000x16xf32>, tensor<1000x16xf32>
  }
}
