module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["t"=4]> {stablehlo.mesh = {axes = [{name = "t", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, %arg1: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}]>}, %arg2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, %arg3: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, %arg4: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}]>}, %arg5: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, %arg6: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<16x32xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, tensor<32xf32> {jax.result_info = "result[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{"t"}]>}, tensor<32x16xf32> {jax.result_info = "result[0][2]", sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[0][3]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, tensor<32xf32> {jax.result_info = "result[0][4]", sdy.sharding = #sdy.sharding<@mesh, [{"t"}]>}, tensor<32x16xf32> {jax.result_info = "result[0][5]", sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg6, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<64x32xf32>
    %3 = stablehlo.add %0, %2 : tensor<64x32xf32>
    %4 = stablehlo.tanh %3 : tensor<64x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<64x32xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %8 = stablehlo.add %arg6, %7 : tensor<64x16xf32>
    %9 = stablehlo.dot_general %8, %arg3, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %10 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<64x32xf32>
    %12 = stablehlo.add %9, %11 : tensor<64x32xf32>
    %13 = stablehlo.tanh %12 : tensor<64x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<64x32xf32>
    %16 = stablehlo.dot_general %13, %arg5, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %17 = stablehlo.add %8, %16 : tensor<64x16xf32>
    %18 = stablehlo.subtract %17, %arg7 : tensor<64x16xf32>
    %19 = stablehlo.multiply %18, %18 : tensor<64x16xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %21 = stablehlo.multiply %20, %18 : tensor<64x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %23 = stablehlo.divide %22, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %24 = stablehlo.divide %cst_4, %cst_5 : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %26 = stablehlo.multiply %25, %21 : tensor<64x16xf32>
    %27 = stablehlo.dot_general %26, %13, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x16xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %29 = stablehlo.dot_general %26, %arg5, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<64x16xf32>, tensor<32x16xf32>) -> tensor<64x32xf32>
    %30 = stablehlo.multiply %29, %15 : tensor<64x32xf32>
    %31 = stablehlo.multiply %30, %13 : tensor<64x32xf32>
    %32 = stablehlo.add %30, %31 : tensor<64x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
    %34 = stablehlo.reshape %33 : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %36 = stablehlo.dot_general %32, %8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x32xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
    %37 = stablehlo.transpose %36, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %38 = stablehlo.dot_general %32, %arg3, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<64x32xf32>, tensor<16x32xf32>) -> tensor<64x16xf32>
    %39 = stablehlo.add %26, %38 : tensor<64x16xf32>
    %40 = stablehlo.dot_general %39, %4, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x16xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %42 = stablehlo.dot_general %39, %arg2, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<64x16xf32>, tensor<32x16xf32>) -> tensor<64x32xf32>
    %43 = stablehlo.multiply %42, %6 : tensor<64x32xf32>
    %44 = stablehlo.multiply %43, %4 : tensor<64x32xf32>
    %45 = stablehlo.add %43, %44 : tensor<64x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<64x32xf32>, tensor<f32>) -> tensor<32xf32>
    %47 = stablehlo.reshape %46 : (tensor<32xf32>) -> tensor<1x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %49 = stablehlo.dot_general %45, %arg6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x32xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
    %50 = stablehlo.transpose %49, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %cst_10 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<16x32xf32>
    %53 = stablehlo.subtract %arg0, %52 : tensor<16x32xf32>
    %cst_11 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %55 = stablehlo.multiply %54, %48 : tensor<32xf32>
    %56 = stablehlo.subtract %arg1, %55 : tensor<32xf32>
    %cst_12 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %58 = stablehlo.multiply %57, %41 : tensor<32x16xf32>
    %59 = stablehlo.subtract %arg2, %58 : tensor<32x16xf32>
    %cst_13 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %61 = stablehlo.multiply %60, %37 : tensor<16x32xf32>
    %62 = stablehlo.subtract %arg3, %61 : tensor<16x32xf32>
    %cst_14 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %64 = stablehlo.multiply %63, %35 : tensor<32xf32>
    %65 = stablehlo.subtract %arg4, %64 : tensor<32xf32>
    %cst_15 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %67 = stablehlo.multiply %66, %28 : tensor<32x16xf32>
    %68 = stablehlo.subtract %arg5, %67 : tensor<32x16xf32>
    return %53, %56, %59, %62, %65, %68, %23 : tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<f32>
  }
}
