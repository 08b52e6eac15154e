module @jit_manual_data attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32x16xf32>, %arg3: tensor<16x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x16xf32>, %arg6: tensor<64x16xf32>, %arg7: tensor<64x16xf32>) -> (tensor<16x32xf32> {jax.result_info = "result[0][0]"}, tensor<32xf32> {jax.result_info = "result[0][1]"}, tensor<32x16xf32> {jax.result_info = "result[0][2]"}, tensor<16x32xf32> {jax.result_info = "result[0][3]"}, tensor<32xf32> {jax.result_info = "result[0][4]"}, tensor<32x16xf32> {jax.result_info = "result[0][5]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:7 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"d"} (%arg8: tensor<16x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32x16xf32>, %arg11: tensor<16x32xf32>, %arg12: tensor<32xf32>, %arg13: tensor<32x16xf32>, %arg14: tensor<16x16xf32>, %arg15: tensor<16x16xf32>) {
      %1 = stablehlo.dot_general %arg14, %arg8, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
      %2 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
      %4 = stablehlo.add %1, %3 : tensor<16x32xf32>
      %5 = stablehlo.tanh %4 : tensor<16x32xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %7 = stablehlo.subtract %6, %5 : tensor<16x32xf32>
      %8 = stablehlo.dot_general %5, %arg10, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
      %9 = stablehlo.add %arg14, %8 : tensor<16x16xf32>
      %10 = stablehlo.dot_general %9, %arg11, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
      %11 = stablehlo.broadcast_in_dim %arg12, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
      %13 = stablehlo.add %10, %12 : tensor<16x32xf32>
      %14 = stablehlo.tanh %13 : tensor<16x32xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %16 = stablehlo.subtract %15, %14 : tensor<16x32xf32>
      %17 = stablehlo.dot_general %14, %arg13, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
      %18 = stablehlo.add %9, %17 : tensor<16x16xf32>
      %19 = stablehlo.subtract %18, %arg15 : tensor<16x16xf32>
      %20 = stablehlo.multiply %19, %19 : tensor<16x16xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %22 = stablehlo.multiply %21, %19 : tensor<16x16xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %23 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_3 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
      %24 = stablehlo.divide %23, %cst_3 : tensor<f32>
      %25 = "stablehlo.all_reduce"(%24) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %79 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %79 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %26 = stablehlo.divide %25, %cst_4 : tensor<f32>
      %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %27 = stablehlo.divide %cst_5, %cst_6 : tensor<f32>
      %28 = stablehlo.divide %27, %cst_3 : tensor<f32>
      %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %30 = stablehlo.multiply %29, %22 : tensor<16x16xf32>
      %31 = stablehlo.dot_general %30, %14, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
      %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %33 = stablehlo.dot_general %30, %arg13, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<32x16xf32>) -> tensor<16x32xf32>
      %34 = "stablehlo.all_reduce"(%32) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %79 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %79 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
      %35 = stablehlo.multiply %33, %16 : tensor<16x32xf32>
      %36 = stablehlo.multiply %35, %14 : tensor<16x32xf32>
      %37 = stablehlo.add %35, %36 : tensor<16x32xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %38 = stablehlo.reduce(%37 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<32xf32>
      %39 = stablehlo.reshape %38 : (tensor<32xf32>) -> tensor<1x32xf32>
      %40 = "stablehlo.all_reduce"(%39) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %79 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %79 : tensor<f32>
      }) : (tensor<1x32xf32>) -> tensor<1x32xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %41 = stablehlo.reduce(%40 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %42 = stablehlo.dot_general %37, %9, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x32xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
      %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %44 = stablehlo.dot_general %37, %arg11, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x16xf32>
      %45 = stablehlo.add %30, %44 : tensor<16x16xf32>
      %46 = "stablehlo.all_reduce"(%43) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %79 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %79 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %47 = stablehlo.dot_general %45, %5, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
      %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %49 = stablehlo.dot_general %45, %arg10, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<32x16xf32>) -> tensor<16x32xf32>
      %50 = "stablehlo.all_reduce"(%48) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %79 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %79 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
      %51 = stablehlo.multiply %49, %7 : tensor<16x32xf32>
      %52 = stablehlo.multiply %51, %5 : tensor<16x32xf32>
      %53 = stablehlo.add %51, %52 : tensor<16x32xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<32xf32>
      %55 = stablehlo.reshape %54 : (tensor<32xf32>) -> tensor<1x32xf32>
      %56 = "stablehlo.all_reduce"(%55) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %79 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %79 : tensor<f32>
      }) : (tensor<1x32xf32>) -> tensor<1x32xf32>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %57 = stablehlo.reduce(%56 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %58 = stablehlo.dot_general %53, %arg14, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x32xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
      %59 = stablehlo.transpose %58, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %60 = "stablehlo.all_reduce"(%59) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg16: tensor<f32>, %arg17: tensor<f32>):
        %79 = stablehlo.add %arg16, %arg17 : tensor<f32>
        stablehlo.return %79 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_11 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %61 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %62 = stablehlo.multiply %61, %60 : tensor<16x32xf32>
      %63 = stablehlo.subtract %arg8, %62 : tensor<16x32xf32>
      %cst_12 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %64 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %65 = stablehlo.multiply %64, %57 : tensor<32xf32>
      %66 = stablehlo.subtract %arg9, %65 : tensor<32xf32>
      %cst_13 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %67 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %68 = stablehlo.multiply %67, %50 : tensor<32x16xf32>
      %69 = stablehlo.subtract %arg10, %68 : tensor<32x16xf32>
      %cst_14 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %70 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %71 = stablehlo.multiply %70, %46 : tensor<16x32xf32>
      %72 = stablehlo.subtract %arg11, %71 : tensor<16x32xf32>
      %cst_15 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %74 = stablehlo.multiply %73, %41 : tensor<32xf32>
      %75 = stablehlo.subtract %arg12, %74 : tensor<32xf32>
      %cst_16 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %76 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %77 = stablehlo.multiply %76, %34 : tensor<32x16xf32>
      %78 = stablehlo.subtract %arg13, %77 : tensor<32x16xf32>
      sdy.return %63, %66, %69, %72, %75, %78, %26 : tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<f32>
    } : (tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>) -> (tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6 : tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<f32>
  }
}
