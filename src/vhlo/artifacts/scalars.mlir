module {
  func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>) -> (tensor<2x3xf32>, tensor<3xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<[[1.000000e+00, -2.500000e+00], [0x7FC00001, 4.000000e+00], [5.000000e-01, 6.000000e+00]]> : tensor<3x2xf32>
    %c = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %c_1 = stablehlo.constant dense<[1, -2, 7]> : tensor<3xi4>
    %cst_2 = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.dot_general %arg0, %cst_0, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %3:2 = stablehlo.while(%iterArg = %arg1, %iterArg_4 = %2) : tensor<i32>, tensor<2x3xf32>
    cond {
      %4 = stablehlo.compare GT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = stablehlo.subtract %iterArg, %c_3 : tensor<i32>
      %5 = func.call @step(%iterArg_4) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      stablehlo.return %4, %5 : tensor<i32>, tensor<2x3xf32>
    }
    return %3#1, %c : tensor<2x3xf32>, tensor<3xi1>
  }
  func.func private @step(%arg0: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<2x3xf32> {jax.result_info = "next"}) {
    %0 = stablehlo.tanh %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
