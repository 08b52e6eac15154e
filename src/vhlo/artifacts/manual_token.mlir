module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2]>}} {
  func.func @main(%arg0: !stablehlo.token, %arg1: tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>) {
    %0:2 = stablehlo.custom_call @SPMDFullToShardShape(%arg0, %arg1) {sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>, sdy.manual_axes = #sdy<manual_axes{"x"}>} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<2xf32>)
    %1 = stablehlo.negate %0#1 : tensor<2xf32>
    %2:2 = stablehlo.custom_call @SPMDShardToFullShape(%0#0, %1) {sdy.manual_axes = #sdy<manual_axes{"x"}>, sdy.out_shardings = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>} : (!stablehlo.token, tensor<2xf32>) -> (!stablehlo.token, tensor<4xf32>)
    return %2#0, %2#1 : !stablehlo.token, tensor<4xf32>
  }
}
