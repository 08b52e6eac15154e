module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32, sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
  func.func public @main(%arg0: tensor<8x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, sdy.manual_axes = #sdy<manual_axes{"x", "y"}>} : (tensor<8x8xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {sdy.manual_axes = #sdy<manual_axes{"x", "y"}>, sdy.out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<4x4xf32>) -> tensor<4x8xf32>
    return %2 : tensor<4x8xf32>
  }
}
