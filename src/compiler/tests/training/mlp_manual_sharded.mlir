module @jit_manual_sharded attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=8]> {stablehlo.mesh = {axes = [{name = "d", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32x16xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x16xf32>, %arg6: tensor<64x16xf32>, %arg7: tensor<64x16xf32>) -> (tensor<16x32xf32> {jax.result_info = "result[0][0]"}, tensor<32xf32> {jax.result_info = "result[0][1]"}, tensor<32x16xf32> {jax.result_info = "result[0][2]"}, tensor<16x32xf32> {jax.result_info = "result[0][3]"}, tensor<32xf32> {jax.result_info = "result[0][4]"}, tensor<32x16xf32> {jax.result_info = "result[0][5]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:7 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) in_shardings=[<@mesh, [{"d"}, {}]>, <@mesh, [{"d"}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}, {}]>] out_shardings=[<@mesh, [{"d"}, {}]>, <@mesh, [{"d"}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}]>, <@mesh, [{"d"}, {}]>, <@mesh, []>] manual_axes={"d"} (%arg8: tensor<2x32xf32>, %arg9: tensor<4xf32>, %arg10: tensor<4x16xf32>, %arg11: tensor<2x32xf32>, %arg12: tensor<4xf32>, %arg13: tensor<4x16xf32>, %arg14: tensor<8x16xf32>, %arg15: tensor<8x16xf32>) {
      %1 = "stablehlo.all_gather"(%arg8) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<2x32xf32>) -> tensor<16x32xf32>
      %2 = "stablehlo.all_gather"(%arg9) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<32xf32>
      %3 = "stablehlo.all_gather"(%arg10) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<4x16xf32>) -> tensor<32x16xf32>
      %4 = "stablehlo.all_gather"(%arg11) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<2x32xf32>) -> tensor<16x32xf32>
      %5 = "stablehlo.all_gather"(%arg12) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<32xf32>
      %6 = "stablehlo.all_gather"(%arg13) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<4x16xf32>) -> tensor<32x16xf32>
      %7 = stablehlo.dot_general %arg14, %1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
      %8 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<8x32xf32>
      %10 = stablehlo.add %7, %9 : tensor<8x32xf32>
      %11 = stablehlo.tanh %10 : tensor<8x32xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
      %13 = stablehlo.subtract %12, %11 : tensor<8x32xf32>
      %14 = stablehlo.dot_general %11, %3, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
      %15 = stablehlo.add %arg14, %14 : tensor<8x16xf32>
      %16 = stablehlo.dot_general %15, %4, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
      %17 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<8x32xf32>
      %19 = stablehlo.add %16, %18 : tensor<8x32xf32>
      %20 = stablehlo.tanh %19 : tensor<8x32xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %21 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x32xf32>
      %22 = stablehlo.subtract %21, %20 : tensor<8x32xf32>
      %23 = stablehlo.dot_general %20, %6, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
      %24 = stablehlo.add %15, %23 : tensor<8x16xf32>
      %25 = stablehlo.subtract %24, %arg15 : tensor<8x16xf32>
      %26 = stablehlo.multiply %25, %25 : tensor<8x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %28 = stablehlo.multiply %27, %25 : tensor<8x16xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %29 = stablehlo.reduce(%26 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_3 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %30 = stablehlo.divide %29, %cst_3 : tensor<f32>
      %31 = "stablehlo.all_reduce"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %85 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %85 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %32 = stablehlo.divide %31, %cst_4 : tensor<f32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_6 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %33 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
      %34 = stablehlo.divide %33, %cst_3 : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %36 = stablehlo.multiply %35, %28 : tensor<8x16xf32>
      %37 = stablehlo.dot_general %36, %20, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
      %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %39 = stablehlo.dot_general %36, %6, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<32x16xf32>) -> tensor<8x32xf32>
      %40 = stablehlo.multiply %39, %22 : tensor<8x32xf32>
      %41 = stablehlo.multiply %40, %20 : tensor<8x32xf32>
      %42 = stablehlo.add %40, %41 : tensor<8x32xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %43 = stablehlo.reduce(%42 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<8x32xf32>, tensor<f32>) -> tensor<32xf32>
      %44 = stablehlo.reshape %43 : (tensor<32xf32>) -> tensor<1x32xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %45 = stablehlo.reduce(%44 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %46 = stablehlo.dot_general %42, %15, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x32xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
      %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %48 = stablehlo.dot_general %42, %4, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x32xf32>, tensor<16x32xf32>) -> tensor<8x16xf32>
      %49 = stablehlo.add %36, %48 : tensor<8x16xf32>
      %50 = stablehlo.dot_general %49, %11, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
      %51 = stablehlo.transpose %50, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %52 = stablehlo.dot_general %49, %3, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<32x16xf32>) -> tensor<8x32xf32>
      %53 = stablehlo.multiply %52, %13 : tensor<8x32xf32>
      %54 = stablehlo.multiply %53, %11 : tensor<8x32xf32>
      %55 = stablehlo.add %53, %54 : tensor<8x32xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %56 = stablehlo.reduce(%55 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<8x32xf32>, tensor<f32>) -> tensor<32xf32>
      %57 = stablehlo.reshape %56 : (tensor<32xf32>) -> tensor<1x32xf32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %58 = stablehlo.reduce(%57 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %59 = stablehlo.dot_general %55, %arg14, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x32xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
      %60 = stablehlo.transpose %59, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %61 = "stablehlo.reduce_scatter"(%38) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %85 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %85 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<4x16xf32>
      %62 = "stablehlo.reduce_scatter"(%45) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %85 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %85 : tensor<f32>
      }) : (tensor<32xf32>) -> tensor<4xf32>
      %63 = "stablehlo.reduce_scatter"(%47) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %85 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %85 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<2x32xf32>
      %64 = "stablehlo.reduce_scatter"(%51) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %85 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %85 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<4x16xf32>
      %65 = "stablehlo.reduce_scatter"(%58) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %85 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %85 : tensor<f32>
      }) : (tensor<32xf32>) -> tensor<4xf32>
      %66 = "stablehlo.reduce_scatter"(%60) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %85 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %85 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<2x32xf32>
      %cst_11 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %67 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
      %68 = stablehlo.multiply %67, %66 : tensor<2x32xf32>
      %69 = stablehlo.subtract %arg8, %68 : tensor<2x32xf32>
      %cst_12 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %70 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %71 = stablehlo.multiply %70, %65 : tensor<4xf32>
      %72 = stablehlo.subtract %arg9, %71 : tensor<4xf32>
      %cst_13 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %74 = stablehlo.multiply %73, %64 : tensor<4x16xf32>
      %75 = stablehlo.subtract %arg10, %74 : tensor<4x16xf32>
      %cst_14 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %76 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x32xf32>
      %77 = stablehlo.multiply %76, %63 : tensor<2x32xf32>
      %78 = stablehlo.subtract %arg11, %77 : tensor<2x32xf32>
      %cst_15 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %79 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %80 = stablehlo.multiply %79, %62 : tensor<4xf32>
      %81 = stablehlo.subtract %arg12, %80 : tensor<4xf32>
      %cst_16 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %82 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %83 = stablehlo.multiply %82, %61 : tensor<4x16xf32>
      %84 = stablehlo.subtract %arg13, %83 : tensor<4x16xf32>
      sdy.return %69, %72, %75, %78, %81, %84, %32 : tensor<2x32xf32>, tensor<4xf32>, tensor<4x16xf32>, tensor<2x32xf32>, tensor<4xf32>, tensor<4x16xf32>, tensor<f32>
    } : (tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> (tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6 : tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<f32>
  }
}
