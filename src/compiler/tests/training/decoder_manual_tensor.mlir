module @jit_manual_tensor attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["t"=4]> {stablehlo.mesh = {axes = [{name = "t", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32>, %arg1: tensor<16x8x4xf32>, %arg2: tensor<16x8x4xf32>, %arg3: tensor<16x8x4xf32>, %arg4: tensor<8x4x16xf32>, %arg5: tensor<16x32xf32>, %arg6: tensor<32x16xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<8x8xi32>, %arg9: tensor<8x8xi32>) -> (tensor<32x16xf32> {jax.result_info = "result[0][0]"}, tensor<16x8x4xf32> {jax.result_info = "result[0][1]"}, tensor<16x8x4xf32> {jax.result_info = "result[0][2]"}, tensor<16x8x4xf32> {jax.result_info = "result[0][3]"}, tensor<8x4x16xf32> {jax.result_info = "result[0][4]"}, tensor<16x32xf32> {jax.result_info = "result[0][5]"}, tensor<32x16xf32> {jax.result_info = "result[0][6]"}, tensor<16x32xf32> {jax.result_info = "result[0][7]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:9 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{"t"}, {}, {}]>, <@mesh, [{}, {"t"}]>, <@mesh, [{"t"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{"t"}, {}, {}]>, <@mesh, [{}, {"t"}]>, <@mesh, [{"t"}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"t"} (%arg10: tensor<32x16xf32>, %arg11: tensor<16x2x4xf32>, %arg12: tensor<16x2x4xf32>, %arg13: tensor<16x2x4xf32>, %arg14: tensor<2x4x16xf32>, %arg15: tensor<16x8xf32>, %arg16: tensor<8x16xf32>, %arg17: tensor<16x32xf32>, %arg18: tensor<8x8xi32>, %arg19: tensor<8x8xi32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
      %2 = stablehlo.compare LT, %arg18, %1, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
      %c_0 = stablehlo.constant dense<32> : tensor<i32>
      %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
      %4 = stablehlo.add %arg18, %3 : tensor<8x8xi32>
      %5 = stablehlo.select %2, %4, %arg18 : tensor<8x8xi1>, tensor<8x8xi32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
      %7 = "stablehlo.gather"(%arg10, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<8x8x1xi32>) -> tensor<8x8x16xf32>
      %8 = stablehlo.multiply %7, %7 : tensor<8x8x16xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
      %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %12 = stablehlo.divide %10, %11 : tensor<8x8x1xf32>
      %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %14 = stablehlo.add %12, %13 : tensor<8x8x1xf32>
      %15 = stablehlo.rsqrt %14 : tensor<8x8x1xf32>
      %16 = stablehlo.divide %15, %14 : tensor<8x8x1xf32>
      %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %18 = stablehlo.multiply %17, %16 : tensor<8x8x1xf32>
      %19 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
      %20 = stablehlo.multiply %7, %19 : tensor<8x8x16xf32>
      %21 = stablehlo.dot_general %arg11, %20, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x2x4xf32>, tensor<8x8x16xf32>) -> tensor<2x4x8x8xf32>
      %22 = stablehlo.transpose %21, dims = [2, 0, 3, 1] : (tensor<2x4x8x8xf32>) -> tensor<8x2x8x4xf32>
      %23 = stablehlo.dot_general %arg12, %20, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x2x4xf32>, tensor<8x8x16xf32>) -> tensor<2x4x8x8xf32>
      %24 = stablehlo.transpose %23, dims = [2, 0, 3, 1] : (tensor<2x4x8x8xf32>) -> tensor<8x2x8x4xf32>
      %25 = stablehlo.dot_general %arg13, %20, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x2x4xf32>, tensor<8x8x16xf32>) -> tensor<2x4x8x8xf32>
      %26 = stablehlo.transpose %25, dims = [2, 0, 3, 1] : (tensor<2x4x8x8xf32>) -> tensor<8x2x8x4xf32>
      %27 = stablehlo.dot_general %22, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x2x8x4xf32>, tensor<8x2x8x4xf32>) -> tensor<8x2x8x8xf32>
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x2x8x8xf32>
      %29 = stablehlo.divide %27, %28 : tensor<8x2x8x8xf32>
      %c_5 = stablehlo.constant dense<true> : tensor<i1>
      %30 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
      %31 = func.call @tril(%30) : (tensor<8x8xi1>) -> tensor<8x8xi1>
      %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %32:2 = func.call @_where(%31, %29, %cst_6) : (tensor<8x8xi1>, tensor<8x2x8x8xf32>, tensor<f32>) -> (tensor<8x2x8x8xf32>, tensor<8x2x8x8xi1>)
      %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %33 = stablehlo.reduce(%32#0 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<8x2x8x8xf32>, tensor<f32>) -> tensor<8x2x8xf32>
      %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x2x8xf32>
      %35 = stablehlo.maximum %34, %33 : tensor<8x2x8xf32>
      %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<8x2x8xf32>) -> tensor<8x2x8x1xf32>
      %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<8x2x8x1xf32>) -> tensor<8x2x8x8xf32>
      %38 = stablehlo.subtract %32#0, %37 : tensor<8x2x8x8xf32>
      %39 = stablehlo.exponential %38 : tensor<8x2x8x8xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<8x2x8x8xf32>, tensor<f32>) -> tensor<8x2x8xf32>
      %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<8x2x8xf32>) -> tensor<8x2x8x1xf32>
      %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<8x2x8x1xf32>) -> tensor<8x2x8x8xf32>
      %43 = stablehlo.divide %39, %42 : tensor<8x2x8x8xf32>
      %44 = stablehlo.multiply %41, %41 : tensor<8x2x8x1xf32>
      %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x2x8x1xf32>
      %46 = stablehlo.divide %45, %44 : tensor<8x2x8x1xf32>
      %47 = stablehlo.dot_general %26, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x2x8x4xf32>, tensor<8x2x8x8xf32>) -> tensor<8x2x4x8xf32>
      %48 = stablehlo.dot_general %47, %arg14, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x2x4x8xf32>, tensor<2x4x16xf32>) -> tensor<8x8x16xf32>
      %49 = "stablehlo.all_reduce"(%48) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %244 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %244 : tensor<f32>
      }) : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
      %50 = stablehlo.add %7, %49 : tensor<8x8x16xf32>
      %51 = stablehlo.multiply %50, %50 : tensor<8x8x16xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %52 = stablehlo.reduce(%51 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
      %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
      %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %55 = stablehlo.divide %53, %54 : tensor<8x8x1xf32>
      %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %57 = stablehlo.add %55, %56 : tensor<8x8x1xf32>
      %58 = stablehlo.rsqrt %57 : tensor<8x8x1xf32>
      %59 = stablehlo.divide %58, %57 : tensor<8x8x1xf32>
      %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %60 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %61 = stablehlo.multiply %60, %59 : tensor<8x8x1xf32>
      %62 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
      %63 = stablehlo.multiply %50, %62 : tensor<8x8x16xf32>
      %64 = stablehlo.dot_general %63, %arg15, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<16x8xf32>) -> tensor<8x8x8xf32>
      %65 = stablehlo.multiply %64, %64 : tensor<8x8x8xf32>
      %66 = stablehlo.multiply %65, %64 : tensor<8x8x8xf32>
      %67 = stablehlo.multiply %64, %64 : tensor<8x8x8xf32>
      %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %69 = stablehlo.multiply %68, %67 : tensor<8x8x8xf32>
      %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %70 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %71 = stablehlo.multiply %70, %66 : tensor<8x8x8xf32>
      %72 = stablehlo.add %64, %71 : tensor<8x8x8xf32>
      %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %74 = stablehlo.multiply %73, %72 : tensor<8x8x8xf32>
      %75 = stablehlo.tanh %74 : tensor<8x8x8xf32>
      %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %76 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %77 = stablehlo.subtract %76, %75 : tensor<8x8x8xf32>
      %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %78 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %79 = stablehlo.add %78, %75 : tensor<8x8x8xf32>
      %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %80 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %81 = stablehlo.multiply %80, %79 : tensor<8x8x8xf32>
      %82 = stablehlo.multiply %64, %81 : tensor<8x8x8xf32>
      %83 = stablehlo.dot_general %82, %arg16, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8xf32>, tensor<8x16xf32>) -> tensor<8x8x16xf32>
      %84 = "stablehlo.all_reduce"(%83) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %244 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %244 : tensor<f32>
      }) : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
      %85 = stablehlo.add %50, %84 : tensor<8x8x16xf32>
      %86 = stablehlo.multiply %85, %85 : tensor<8x8x16xf32>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %87 = stablehlo.reduce(%86 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
      %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
      %cst_22 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %89 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %90 = stablehlo.divide %88, %89 : tensor<8x8x1xf32>
      %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %91 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %92 = stablehlo.add %90, %91 : tensor<8x8x1xf32>
      %93 = stablehlo.rsqrt %92 : tensor<8x8x1xf32>
      %94 = stablehlo.divide %93, %92 : tensor<8x8x1xf32>
      %cst_24 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %95 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %96 = stablehlo.multiply %95, %94 : tensor<8x8x1xf32>
      %97 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
      %98 = stablehlo.multiply %85, %97 : tensor<8x8x16xf32>
      %99 = stablehlo.dot_general %98, %arg17, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<16x32xf32>) -> tensor<8x8x32xf32>
      %100:3 = func.call @log_softmax(%99) : (tensor<8x8x32xf32>) -> (tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x1xf32>)
      %101 = stablehlo.broadcast_in_dim %arg19, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
      %102:2 = func.call @take_along_axis(%100#0, %101) : (tensor<8x8x32xf32>, tensor<8x8x1xi32>) -> (tensor<8x8x1xf32>, tensor<8x8x1x1xi32>)
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %103 = stablehlo.reduce(%102#0 init: %cst_25) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<f32>
      %cst_26 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
      %104 = stablehlo.divide %103, %cst_26 : tensor<f32>
      %105 = stablehlo.negate %104 : tensor<f32>
      %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %106 = stablehlo.negate %cst_27 : tensor<f32>
      %cst_28 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
      %107 = stablehlo.divide %106, %cst_28 : tensor<f32>
      %108 = stablehlo.broadcast_in_dim %107, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %109 = func.call @take_along_axis_0(%102#1, %108) : (tensor<8x8x1x1xi32>, tensor<8x8x1xf32>) -> tensor<8x8x32xf32>
      %110 = func.call @log_softmax_1(%100#1, %100#2, %109) : (tensor<8x8x32xf32>, tensor<8x8x1xf32>, tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
      %111 = stablehlo.dot_general %110, %98, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<8x8x16xf32>) -> tensor<32x16xf32>
      %112 = stablehlo.transpose %111, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %113 = stablehlo.dot_general %110, %arg17, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<16x32xf32>) -> tensor<8x8x16xf32>
      %114 = stablehlo.multiply %85, %113 : tensor<8x8x16xf32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %115 = stablehlo.reduce(%114 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
      %116 = stablehlo.reshape %115 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
      %117 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
      %118 = stablehlo.multiply %113, %117 : tensor<8x8x16xf32>
      %119 = stablehlo.multiply %116, %96 : tensor<8x8x1xf32>
      %cst_30 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %120 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %121 = stablehlo.divide %119, %120 : tensor<8x8x1xf32>
      %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %122 = stablehlo.reduce(%121 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
      %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
      %124 = stablehlo.multiply %85, %123 : tensor<8x8x16xf32>
      %125 = stablehlo.add %118, %124 : tensor<8x8x16xf32>
      %126 = stablehlo.multiply %123, %85 : tensor<8x8x16xf32>
      %127 = stablehlo.add %125, %126 : tensor<8x8x16xf32>
      %128 = stablehlo.dot_general %127, %82, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
      %129 = stablehlo.transpose %128, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %130 = stablehlo.dot_general %127, %arg16, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x16xf32>) -> tensor<8x8x8xf32>
      %131 = stablehlo.multiply %64, %130 : tensor<8x8x8xf32>
      %132 = stablehlo.multiply %130, %81 : tensor<8x8x8xf32>
      %133 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %134 = stablehlo.multiply %133, %131 : tensor<8x8x8xf32>
      %135 = stablehlo.multiply %134, %77 : tensor<8x8x8xf32>
      %136 = stablehlo.multiply %135, %75 : tensor<8x8x8xf32>
      %137 = stablehlo.add %135, %136 : tensor<8x8x8xf32>
      %138 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %139 = stablehlo.multiply %138, %137 : tensor<8x8x8xf32>
      %140 = stablehlo.add %132, %139 : tensor<8x8x8xf32>
      %141 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
      %142 = stablehlo.multiply %141, %139 : tensor<8x8x8xf32>
      %143 = stablehlo.multiply %142, %69 : tensor<8x8x8xf32>
      %144 = stablehlo.add %140, %143 : tensor<8x8x8xf32>
      %145 = stablehlo.dot_general %144, %63, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x16xf32>
      %146 = stablehlo.transpose %145, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
      %147 = stablehlo.dot_general %144, %arg15, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8xf32>, tensor<16x8xf32>) -> tensor<8x8x16xf32>
      %148 = "stablehlo.all_reduce"(%147) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %244 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %244 : tensor<f32>
      }) : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
      %149 = stablehlo.multiply %50, %148 : tensor<8x8x16xf32>
      %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %150 = stablehlo.reduce(%149 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
      %151 = stablehlo.reshape %150 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
      %152 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
      %153 = stablehlo.multiply %148, %152 : tensor<8x8x16xf32>
      %154 = stablehlo.add %127, %153 : tensor<8x8x16xf32>
      %155 = stablehlo.multiply %151, %61 : tensor<8x8x1xf32>
      %cst_33 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %156 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %157 = stablehlo.divide %155, %156 : tensor<8x8x1xf32>
      %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %158 = stablehlo.reduce(%157 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
      %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
      %160 = stablehlo.multiply %50, %159 : tensor<8x8x16xf32>
      %161 = stablehlo.add %154, %160 : tensor<8x8x16xf32>
      %162 = stablehlo.multiply %159, %50 : tensor<8x8x16xf32>
      %163 = stablehlo.add %161, %162 : tensor<8x8x16xf32>
      %164 = stablehlo.dot_general %163, %47, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x2x4x8xf32>) -> tensor<16x2x4xf32>
      %165 = stablehlo.transpose %164, dims = [1, 2, 0] : (tensor<16x2x4xf32>) -> tensor<2x4x16xf32>
      %166 = stablehlo.dot_general %163, %arg14, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<2x4x16xf32>) -> tensor<8x8x2x4xf32>
      %167 = stablehlo.transpose %166, dims = [0, 2, 3, 1] : (tensor<8x8x2x4xf32>) -> tensor<8x2x4x8xf32>
      %168 = stablehlo.dot_general %167, %26, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x2x4x8xf32>, tensor<8x2x8x4xf32>) -> tensor<8x2x8x8xf32>
      %169 = stablehlo.dot_general %167, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x2x4x8xf32>, tensor<8x2x8x8xf32>) -> tensor<8x2x4x8xf32>
      %170 = stablehlo.transpose %169, dims = [0, 1, 3, 2] : (tensor<8x2x4x8xf32>) -> tensor<8x2x8x4xf32>
      %171 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<8x2x8x1xf32>) -> tensor<8x2x8x8xf32>
      %172 = stablehlo.multiply %168, %171 : tensor<8x2x8x8xf32>
      %173 = stablehlo.multiply %172, %39 : tensor<8x2x8x8xf32>
      %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %174 = stablehlo.reduce(%173 init: %cst_35) applies stablehlo.add across dimensions = [3] : (tensor<8x2x8x8xf32>, tensor<f32>) -> tensor<8x2x8xf32>
      %175 = stablehlo.reshape %174 : (tensor<8x2x8xf32>) -> tensor<8x2x8x1xf32>
      %176 = stablehlo.negate %175 : tensor<8x2x8x1xf32>
      %177 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<8x2x8x1xf32>) -> tensor<8x2x8x8xf32>
      %178 = stablehlo.divide %168, %177 : tensor<8x2x8x8xf32>
      %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %179 = stablehlo.reduce(%176 init: %cst_36) applies stablehlo.add across dimensions = [3] : (tensor<8x2x8x1xf32>, tensor<f32>) -> tensor<8x2x8xf32>
      %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2] : (tensor<8x2x8xf32>) -> tensor<8x2x8x8xf32>
      %181 = stablehlo.add %178, %180 : tensor<8x2x8x8xf32>
      %182 = stablehlo.multiply %181, %39 : tensor<8x2x8x8xf32>
      %183 = func.call @_where_2(%32#1, %182) : (tensor<8x2x8x8xi1>, tensor<8x2x8x8xf32>) -> tensor<8x2x8x8xf32>
      %184 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x2x8x8xf32>
      %185 = stablehlo.divide %183, %184 : tensor<8x2x8x8xf32>
      %186 = stablehlo.dot_general %185, %22, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x2x8x8xf32>, tensor<8x2x8x4xf32>) -> tensor<8x2x8x4xf32>
      %187 = stablehlo.dot_general %185, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x2x8x8xf32>, tensor<8x2x8x4xf32>) -> tensor<8x2x8x4xf32>
      %188 = stablehlo.transpose %170, dims = [1, 3, 0, 2] : (tensor<8x2x8x4xf32>) -> tensor<2x4x8x8xf32>
      %189 = stablehlo.dot_general %188, %arg13, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x8x8xf32>, tensor<16x2x4xf32>) -> tensor<8x8x16xf32>
      %190 = stablehlo.dot_general %188, %20, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<2x4x16xf32>
      %191 = stablehlo.transpose %190, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %192 = stablehlo.transpose %186, dims = [1, 3, 0, 2] : (tensor<8x2x8x4xf32>) -> tensor<2x4x8x8xf32>
      %193 = stablehlo.dot_general %192, %arg12, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x8x8xf32>, tensor<16x2x4xf32>) -> tensor<8x8x16xf32>
      %194 = stablehlo.add %189, %193 : tensor<8x8x16xf32>
      %195 = stablehlo.dot_general %192, %20, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<2x4x16xf32>
      %196 = stablehlo.transpose %195, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %197 = stablehlo.transpose %187, dims = [1, 3, 0, 2] : (tensor<8x2x8x4xf32>) -> tensor<2x4x8x8xf32>
      %198 = stablehlo.dot_general %197, %arg11, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x8x8xf32>, tensor<16x2x4xf32>) -> tensor<8x8x16xf32>
      %199 = stablehlo.add %194, %198 : tensor<8x8x16xf32>
      %200 = stablehlo.dot_general %197, %20, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<2x4x16xf32>
      %201 = stablehlo.transpose %200, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %202 = "stablehlo.all_reduce"(%199) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %244 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %244 : tensor<f32>
      }) : (tensor<8x8x16xf32>) -> tensor<8x8x16xf32>
      %203 = stablehlo.multiply %7, %202 : tensor<8x8x16xf32>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %204 = stablehlo.reduce(%203 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
      %205 = stablehlo.reshape %204 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
      %206 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
      %207 = stablehlo.multiply %202, %206 : tensor<8x8x16xf32>
      %208 = stablehlo.add %163, %207 : tensor<8x8x16xf32>
      %209 = stablehlo.multiply %205, %18 : tensor<8x8x1xf32>
      %cst_38 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %210 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
      %211 = stablehlo.divide %209, %210 : tensor<8x8x1xf32>
      %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %212 = stablehlo.reduce(%211 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
      %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
      %214 = stablehlo.multiply %7, %213 : tensor<8x8x16xf32>
      %215 = stablehlo.add %208, %214 : tensor<8x8x16xf32>
      %216 = stablehlo.multiply %213, %7 : tensor<8x8x16xf32>
      %217 = stablehlo.add %215, %216 : tensor<8x8x16xf32>
      %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %218 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %219 = "stablehlo.scatter"(%218, %6, %217) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %244 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %244 : tensor<f32>
      }) : (tensor<32x16xf32>, tensor<8x8x1xi32>, tensor<8x8x16xf32>) -> tensor<32x16xf32>
      %cst_41 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %220 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %221 = stablehlo.multiply %220, %219 : tensor<32x16xf32>
      %222 = stablehlo.subtract %arg10, %221 : tensor<32x16xf32>
      %cst_42 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %223 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %224 = stablehlo.multiply %223, %201 : tensor<16x2x4xf32>
      %225 = stablehlo.subtract %arg11, %224 : tensor<16x2x4xf32>
      %cst_43 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %226 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %227 = stablehlo.multiply %226, %196 : tensor<16x2x4xf32>
      %228 = stablehlo.subtract %arg12, %227 : tensor<16x2x4xf32>
      %cst_44 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %229 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %230 = stablehlo.multiply %229, %191 : tensor<16x2x4xf32>
      %231 = stablehlo.subtract %arg13, %230 : tensor<16x2x4xf32>
      %cst_45 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %232 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
      %233 = stablehlo.multiply %232, %165 : tensor<2x4x16xf32>
      %234 = stablehlo.subtract %arg14, %233 : tensor<2x4x16xf32>
      %cst_46 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %235 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
      %236 = stablehlo.multiply %235, %146 : tensor<16x8xf32>
      %237 = stablehlo.subtract %arg15, %236 : tensor<16x8xf32>
      %cst_47 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %238 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %239 = stablehlo.multiply %238, %129 : tensor<8x16xf32>
      %240 = stablehlo.subtract %arg16, %239 : tensor<8x16xf32>
      %cst_48 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %241 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %242 = stablehlo.multiply %241, %112 : tensor<16x32xf32>
      %243 = stablehlo.subtract %arg17, %242 : tensor<16x32xf32>
      sdy.return %222, %225, %228, %231, %234, %237, %240, %243, %105 : tensor<32x16xf32>, tensor<16x2x4xf32>, tensor<16x2x4xf32>, tensor<16x2x4xf32>, tensor<2x4x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x32xf32>, tensor<f32>
    } : (tensor<32x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<8x8xi32>, tensor<8x8xi32>) -> (tensor<32x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8 : tensor<32x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<8x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<8x2x8x8xf32>, tensor<8x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<8x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x2x8x8xi1>, tensor<8x2x8x8xf32>
    return %3, %1 : tensor<8x2x8x8xf32>, tensor<8x2x8x8xi1>
  }
  func.func private @log_softmax(%arg0: tensor<8x8x32xf32>) -> (tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x8x32xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x8x32xf32>
    %6 = stablehlo.exponential %5 : tensor<8x8x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x8x32xf32>, tensor<f32>) -> tensor<8x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %9 = stablehlo.log %8 : tensor<8x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x32xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x8x32xf32>
    return %11, %6, %8 : tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x8x32xf32>, %arg1: tensor<8x8x1xi32>) -> (tensor<8x8x1xf32>, tensor<8x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x8x1xi32>, tensor<8x8x1xi32>) -> tensor<8x8x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x8x1xi1>, tensor<8x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x8x1xi32>) -> tensor<8x8x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x8x1x1xi32>, tensor<8x8x1x1xi32>) -> tensor<8x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x8x1x1xi32>, tensor<8x8x1x1xi32>) -> tensor<8x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x8x1x1xi1>, tensor<i1>) -> tensor<8x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x8x32xf32>, tensor<8x8x1x1xi32>) -> tensor<8x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x8x1xi1>, tensor<8x8x1xf32>
    return %15, %5 : tensor<8x8x1xf32>, tensor<8x8x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x8x1x1xi32>, %arg1: tensor<8x8x1xf32>) -> tensor<8x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x8x32xf32>, tensor<8x8x1x1xi32>, tensor<8x8x1xf32>) -> tensor<8x8x32xf32>
    return %1 : tensor<8x8x32xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x8x32xf32>, %arg1: tensor<8x8x1xf32>, %arg2: tensor<8x8x32xf32>) -> tensor<8x8x32xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x8x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x8x32xf32>, tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x32xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x8x32xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x8x32xf32>
    return %7 : tensor<8x8x32xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x2x8x8xi1>, %arg1: tensor<8x2x8x8xf32>) -> tensor<8x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x2x8x8xi1>, tensor<8x2x8x8xf32>
    return %1 : tensor<8x2x8x8xf32>
  }
}
