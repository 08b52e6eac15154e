module @jit_heat attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x512xf32>) -> (tensor<512x512xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<512x512xf32>
    cond {
      %c_1 = stablehlo.constant dense<100> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @closed_call(%iterArg_0) : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<512x512xf32>
    }
    return %0#1 : tensor<512x512xf32>
  }
  func.func private @closed_call(%arg0: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %0 = stablehlo.slice %arg0 [0:510, 1:511] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %1 = stablehlo.slice %arg0 [2:512, 1:511] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %2 = stablehlo.add %0, %1 : tensor<510x510xf32>
    %3 = stablehlo.slice %arg0 [1:511, 0:510] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %4 = stablehlo.add %2, %3 : tensor<510x510xf32>
    %5 = stablehlo.slice %arg0 [1:511, 2:512] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %6 = stablehlo.add %4, %5 : tensor<510x510xf32>
    %7 = stablehlo.slice %arg0 [1:511, 1:511] : (tensor<512x512xf32>) -> tensor<510x510xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<510x510xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<510x510xf32>
    %10 = stablehlo.subtract %6, %9 : tensor<510x510xf32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<510x510xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<510x510xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = "stablehlo.scatter"(%arg0, %15, %12) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %17 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %17 : tensor<f32>
    }) : (tensor<512x512xf32>, tensor<2xi32>, tensor<510x510xf32>) -> tensor<512x512xf32>
    return %16 : tensor<512x512xf32>
  }
}
