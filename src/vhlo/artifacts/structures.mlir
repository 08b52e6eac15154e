module @structures attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%arg0: tensor<1x8x8x2xf32>, %arg1: tensor<3x3x2x4xf32>, %arg2: tensor<5x1xi32>, %arg3: tensor<4x!quant.uniform<i8:f32, 2.000000e-01:-3>>, %arg4: tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> (tensor<1x4x4x4xf32>, tensor<5x8x8x2xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32>
    %1 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8, 8, 2>}> : (tensor<1x8x8x2xf32>, tensor<5x1xi32>) -> tensor<5x8x8x2xf32>
    %2 = stablehlo.create_token : !stablehlo.token
    %3 = stablehlo.custom_call @notify(%2, %0) {api_version = 4 : i32, backend_config = {limit = 3 : i64, name = "a \22b\22"}, has_side_effect = true, operand_layouts = [dense<> : tensor<0xindex>, dense<[3, 2, 1, 0]> : tensor<4xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (!stablehlo.token, tensor<1x4x4x4xf32>) -> !stablehlo.token
    %4 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %5 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    return %4, %1 : tensor<1x4x4x4xf32>, tensor<5x8x8x2xf32>
  }
}
