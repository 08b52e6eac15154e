module @jit_manual_mixed attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=2, "t"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 2 : i64}, {name = "t", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32>, %arg1: tensor<16x8x4xf32>, %arg2: tensor<16x8x4xf32>, %arg3: tensor<16x8x4xf32>, %arg4: tensor<8x4x16xf32>, %arg5: tensor<16x32xf32>, %arg6: tensor<32x16xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<8x8xi32>, %arg9: tensor<8x8xi32>) -> (tensor<32x16xf32> {jax.result_info = "result[0][0]"}, tensor<16x8x4xf32> {jax.result_info = "result[0][1]"}, tensor<16x8x4xf32> {jax.result_info = "result[0][2]"}, tensor<16x8x4xf32> {jax.result_info = "result[0][3]"}, tensor<8x4x16xf32> {jax.result_info = "result[0][4]"}, tensor<16x32xf32> {jax.result_info = "result[0][5]"}, tensor<32x16xf32> {jax.result_info = "result[0][6]"}, tensor<16x32xf32> {jax.result_info = "result[0][7]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:9 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{"t"}, {}, {}]>, <@mesh, [{}, {"t"}]>, <@mesh, [{"t"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"d"}, {}]>, <@mesh, [{"d"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{}, {"t"}, {}]>, <@mesh, [{"t"}, {}, {}]>, <@mesh, [{}, {"t"}]>, <@mesh, [{"t"}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"d", "t"} (%arg10: tensor<32x16xf32>, %arg11: tensor<16x2x4xf32>, %arg12: tensor<16x2x4xf32>, %arg13: tensor<16x2x4xf32>, %arg14: tensor<2x4x16xf32>, %arg15: tensor<16x8xf32>, %arg16: tensor<8x16xf32>, %arg17: tensor<16x32xf32>, %arg18: tensor<4x8xi32>, %arg19: tensor<4x8xi32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
      %2 = stablehlo.compare LT, %arg18, %1, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
      %c_0 = stablehlo.constant dense<32> : tensor<i32>
      %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
      %4 = stablehlo.add %arg18, %3 : tensor<4x8xi32>
      %5 = stablehlo.select %2, %4, %arg18 : tensor<4x8xi1>, tensor<4x8xi32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
      %7 = "stablehlo.gather"(%arg10, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
      %8 = stablehlo.multiply %7, %7 : tensor<4x8x16xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
      %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %12 = stablehlo.divide %10, %11 : tensor<4x8x1xf32>
      %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %14 = stablehlo.add %12, %13 : tensor<4x8x1xf32>
      %15 = stablehlo.rsqrt %14 : tensor<4x8x1xf32>
      %16 = stablehlo.divide %15, %14 : tensor<4x8x1xf32>
      %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %18 = stablehlo.multiply %17, %16 : tensor<4x8x1xf32>
      %19 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
      %20 = stablehlo.multiply %7, %19 : tensor<4x8x16xf32>
      %21 = stablehlo.dot_general %arg11, %20, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x2x4xf32>, tensor<4x8x16xf32>) -> tensor<2x4x4x8xf32>
      %22 = stablehlo.transpose %21, dims = [2, 0, 3, 1] : (tensor<2x4x4x8xf32>) -> tensor<4x2x8x4xf32>
      %23 = stablehlo.dot_general %arg12, %20, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x2x4xf32>, tensor<4x8x16xf32>) -> tensor<2x4x4x8xf32>
      %24 = stablehlo.transpose %23, dims = [2, 0, 3, 1] : (tensor<2x4x4x8xf32>) -> tensor<4x2x8x4xf32>
      %25 = stablehlo.dot_general %arg13, %20, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x2x4xf32>, tensor<4x8x16xf32>) -> tensor<2x4x4x8xf32>
      %26 = stablehlo.transpose %25, dims = [2, 0, 3, 1] : (tensor<2x4x4x8xf32>) -> tensor<4x2x8x4xf32>
      %27 = stablehlo.dot_general %22, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<4x2x8x4xf32>, tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
      %29 = stablehlo.divide %27, %28 : tensor<4x2x8x8xf32>
      %c_5 = stablehlo.constant dense<true> : tensor<i1>
      %30 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
      %31 = func.call @tril(%30) : (tensor<8x8xi1>) -> tensor<8x8xi1>
      %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %32:2 = func.call @_where(%31, %29, %cst_6) : (tensor<8x8xi1>, tensor<4x2x8x8xf32>, tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>)
      %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %33 = stablehlo.reduce(%32#0 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
      %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x2x8xf32>
      %35 = stablehlo.maximum %34, %33 : tensor<4x2x8xf32>
      %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
      %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
      %38 = stablehlo.subtract %32#0, %37 : tensor<4x2x8x8xf32>
      %39 = stablehlo.exponential %38 : tensor<4x2x8x8xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
      %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
      %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
      %43 = stablehlo.divide %39, %42 : tensor<4x2x8x8xf32>
      %44 = stablehlo.multiply %41, %41 : tensor<4x2x8x1xf32>
      %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x2x8x1xf32>
      %46 = stablehlo.divide %45, %44 : tensor<4x2x8x1xf32>
      %47 = stablehlo.dot_general %26, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<4x2x8x4xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x4x8xf32>
      %48 = stablehlo.dot_general %47, %arg14, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<4x2x4x8xf32>, tensor<2x4x16xf32>) -> tensor<4x8x16xf32>
      %49 = "stablehlo.all_reduce"(%48) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
      %50 = stablehlo.add %7, %49 : tensor<4x8x16xf32>
      %51 = stablehlo.multiply %50, %50 : tensor<4x8x16xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %52 = stablehlo.reduce(%51 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
      %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
      %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %55 = stablehlo.divide %53, %54 : tensor<4x8x1xf32>
      %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %57 = stablehlo.add %55, %56 : tensor<4x8x1xf32>
      %58 = stablehlo.rsqrt %57 : tensor<4x8x1xf32>
      %59 = stablehlo.divide %58, %57 : tensor<4x8x1xf32>
      %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %60 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %61 = stablehlo.multiply %60, %59 : tensor<4x8x1xf32>
      %62 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
      %63 = stablehlo.multiply %50, %62 : tensor<4x8x16xf32>
      %64 = stablehlo.dot_general %63, %arg15, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x8x16xf32>, tensor<16x8xf32>) -> tensor<4x8x8xf32>
      %65 = stablehlo.multiply %64, %64 : tensor<4x8x8xf32>
      %66 = stablehlo.multiply %65, %64 : tensor<4x8x8xf32>
      %67 = stablehlo.multiply %64, %64 : tensor<4x8x8xf32>
      %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %69 = stablehlo.multiply %68, %67 : tensor<4x8x8xf32>
      %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %70 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %71 = stablehlo.multiply %70, %66 : tensor<4x8x8xf32>
      %72 = stablehlo.add %64, %71 : tensor<4x8x8xf32>
      %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %74 = stablehlo.multiply %73, %72 : tensor<4x8x8xf32>
      %75 = stablehlo.tanh %74 : tensor<4x8x8xf32>
      %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %76 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %77 = stablehlo.subtract %76, %75 : tensor<4x8x8xf32>
      %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %78 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %79 = stablehlo.add %78, %75 : tensor<4x8x8xf32>
      %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %80 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %81 = stablehlo.multiply %80, %79 : tensor<4x8x8xf32>
      %82 = stablehlo.multiply %64, %81 : tensor<4x8x8xf32>
      %83 = stablehlo.dot_general %82, %arg16, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x8x8xf32>, tensor<8x16xf32>) -> tensor<4x8x16xf32>
      %84 = "stablehlo.all_reduce"(%83) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
      %85 = stablehlo.add %50, %84 : tensor<4x8x16xf32>
      %86 = stablehlo.multiply %85, %85 : tensor<4x8x16xf32>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %87 = stablehlo.reduce(%86 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
      %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
      %cst_22 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %89 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %90 = stablehlo.divide %88, %89 : tensor<4x8x1xf32>
      %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %91 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %92 = stablehlo.add %90, %91 : tensor<4x8x1xf32>
      %93 = stablehlo.rsqrt %92 : tensor<4x8x1xf32>
      %94 = stablehlo.divide %93, %92 : tensor<4x8x1xf32>
      %cst_24 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %95 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %96 = stablehlo.multiply %95, %94 : tensor<4x8x1xf32>
      %97 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
      %98 = stablehlo.multiply %85, %97 : tensor<4x8x16xf32>
      %99 = stablehlo.dot_general %98, %arg17, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
      %100:3 = func.call @log_softmax(%99) : (tensor<4x8x32xf32>) -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x1xf32>)
      %101 = stablehlo.broadcast_in_dim %arg19, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
      %102:2 = func.call @take_along_axis(%100#0, %101) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %103 = stablehlo.reduce(%102#0 init: %cst_25) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<f32>
      %cst_26 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
      %104 = stablehlo.divide %103, %cst_26 : tensor<f32>
      %105 = "stablehlo.all_reduce"(%104) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_27 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %106 = stablehlo.divide %105, %cst_27 : tensor<f32>
      %107 = stablehlo.negate %106 : tensor<f32>
      %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %108 = stablehlo.negate %cst_28 : tensor<f32>
      %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %109 = stablehlo.divide %108, %cst_29 : tensor<f32>
      %110 = stablehlo.divide %109, %cst_26 : tensor<f32>
      %111 = stablehlo.broadcast_in_dim %110, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %112 = func.call @take_along_axis_0(%102#1, %111) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
      %113 = func.call @log_softmax_1(%100#1, %100#2, %112) : (tensor<4x8x32xf32>, tensor<4x8x1xf32>, tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
      %114 = stablehlo.dot_general %113, %98, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
      %115 = stablehlo.transpose %114, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %116 = stablehlo.dot_general %113, %arg17, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
      %117 = "stablehlo.all_reduce"(%115) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %118 = stablehlo.multiply %85, %116 : tensor<4x8x16xf32>
      %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %119 = stablehlo.reduce(%118 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
      %120 = stablehlo.reshape %119 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
      %121 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
      %122 = stablehlo.multiply %116, %121 : tensor<4x8x16xf32>
      %123 = stablehlo.multiply %120, %96 : tensor<4x8x1xf32>
      %124 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %125 = stablehlo.divide %123, %124 : tensor<4x8x1xf32>
      %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %126 = stablehlo.reduce(%125 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
      %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
      %128 = stablehlo.multiply %85, %127 : tensor<4x8x16xf32>
      %129 = stablehlo.add %122, %128 : tensor<4x8x16xf32>
      %130 = stablehlo.multiply %127, %85 : tensor<4x8x16xf32>
      %131 = stablehlo.add %129, %130 : tensor<4x8x16xf32>
      %132 = stablehlo.dot_general %131, %82, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x8x16xf32>, tensor<4x8x8xf32>) -> tensor<16x8xf32>
      %133 = stablehlo.transpose %132, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %134 = stablehlo.dot_general %131, %arg16, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x8x16xf32>, tensor<8x16xf32>) -> tensor<4x8x8xf32>
      %135 = "stablehlo.all_reduce"(%133) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<8x16xf32>) -> tensor<8x16xf32>
      %136 = stablehlo.multiply %64, %134 : tensor<4x8x8xf32>
      %137 = stablehlo.multiply %134, %81 : tensor<4x8x8xf32>
      %138 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %139 = stablehlo.multiply %138, %136 : tensor<4x8x8xf32>
      %140 = stablehlo.multiply %139, %77 : tensor<4x8x8xf32>
      %141 = stablehlo.multiply %140, %75 : tensor<4x8x8xf32>
      %142 = stablehlo.add %140, %141 : tensor<4x8x8xf32>
      %143 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %144 = stablehlo.multiply %143, %142 : tensor<4x8x8xf32>
      %145 = stablehlo.add %137, %144 : tensor<4x8x8xf32>
      %146 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
      %147 = stablehlo.multiply %146, %144 : tensor<4x8x8xf32>
      %148 = stablehlo.multiply %147, %69 : tensor<4x8x8xf32>
      %149 = stablehlo.add %145, %148 : tensor<4x8x8xf32>
      %150 = stablehlo.dot_general %149, %63, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<8x16xf32>
      %151 = stablehlo.transpose %150, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
      %152 = stablehlo.dot_general %149, %arg15, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x8x8xf32>, tensor<16x8xf32>) -> tensor<4x8x16xf32>
      %153 = "stablehlo.all_reduce"(%151) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      %154 = "stablehlo.all_reduce"(%152) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
      %155 = stablehlo.multiply %50, %154 : tensor<4x8x16xf32>
      %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %156 = stablehlo.reduce(%155 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
      %157 = stablehlo.reshape %156 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
      %158 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
      %159 = stablehlo.multiply %154, %158 : tensor<4x8x16xf32>
      %160 = stablehlo.add %131, %159 : tensor<4x8x16xf32>
      %161 = stablehlo.multiply %157, %61 : tensor<4x8x1xf32>
      %162 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %163 = stablehlo.divide %161, %162 : tensor<4x8x1xf32>
      %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %164 = stablehlo.reduce(%163 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
      %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
      %166 = stablehlo.multiply %50, %165 : tensor<4x8x16xf32>
      %167 = stablehlo.add %160, %166 : tensor<4x8x16xf32>
      %168 = stablehlo.multiply %165, %50 : tensor<4x8x16xf32>
      %169 = stablehlo.add %167, %168 : tensor<4x8x16xf32>
      %170 = stablehlo.dot_general %169, %47, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<4x8x16xf32>, tensor<4x2x4x8xf32>) -> tensor<16x2x4xf32>
      %171 = stablehlo.transpose %170, dims = [1, 2, 0] : (tensor<16x2x4xf32>) -> tensor<2x4x16xf32>
      %172 = stablehlo.dot_general %169, %arg14, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<4x8x16xf32>, tensor<2x4x16xf32>) -> tensor<4x8x2x4xf32>
      %173 = stablehlo.transpose %172, dims = [0, 2, 3, 1] : (tensor<4x8x2x4xf32>) -> tensor<4x2x4x8xf32>
      %174 = "stablehlo.all_reduce"(%171) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
      %175 = stablehlo.dot_general %173, %26, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<4x2x4x8xf32>, tensor<4x2x8x4xf32>) -> tensor<4x2x8x8xf32>
      %176 = stablehlo.dot_general %173, %43, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<4x2x4x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x2x4x8xf32>
      %177 = stablehlo.transpose %176, dims = [0, 1, 3, 2] : (tensor<4x2x4x8xf32>) -> tensor<4x2x8x4xf32>
      %178 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
      %179 = stablehlo.multiply %175, %178 : tensor<4x2x8x8xf32>
      %180 = stablehlo.multiply %179, %39 : tensor<4x2x8x8xf32>
      %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %181 = stablehlo.reduce(%180 init: %cst_34) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x8xf32>, tensor<f32>) -> tensor<4x2x8xf32>
      %182 = stablehlo.reshape %181 : (tensor<4x2x8xf32>) -> tensor<4x2x8x1xf32>
      %183 = stablehlo.negate %182 : tensor<4x2x8x1xf32>
      %184 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<4x2x8x1xf32>) -> tensor<4x2x8x8xf32>
      %185 = stablehlo.divide %175, %184 : tensor<4x2x8x8xf32>
      %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %186 = stablehlo.reduce(%183 init: %cst_35) applies stablehlo.add across dimensions = [3] : (tensor<4x2x8x1xf32>, tensor<f32>) -> tensor<4x2x8xf32>
      %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2] : (tensor<4x2x8xf32>) -> tensor<4x2x8x8xf32>
      %188 = stablehlo.add %185, %187 : tensor<4x2x8x8xf32>
      %189 = stablehlo.multiply %188, %39 : tensor<4x2x8x8xf32>
      %190 = func.call @_where_2(%32#1, %189) : (tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
      %191 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
      %192 = stablehlo.divide %190, %191 : tensor<4x2x8x8xf32>
      %193 = stablehlo.dot_general %192, %22, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<4x2x8x8xf32>, tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %194 = stablehlo.dot_general %192, %24, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<4x2x8x8xf32>, tensor<4x2x8x4xf32>) -> tensor<4x2x8x4xf32>
      %195 = stablehlo.transpose %177, dims = [1, 3, 0, 2] : (tensor<4x2x8x4xf32>) -> tensor<2x4x4x8xf32>
      %196 = stablehlo.dot_general %195, %arg13, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4x8xf32>, tensor<16x2x4xf32>) -> tensor<4x8x16xf32>
      %197 = stablehlo.dot_general %195, %20, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4x8xf32>, tensor<4x8x16xf32>) -> tensor<2x4x16xf32>
      %198 = stablehlo.transpose %197, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %199 = "stablehlo.all_reduce"(%198) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<16x2x4xf32>) -> tensor<16x2x4xf32>
      %200 = stablehlo.transpose %193, dims = [1, 3, 0, 2] : (tensor<4x2x8x4xf32>) -> tensor<2x4x4x8xf32>
      %201 = stablehlo.dot_general %200, %arg12, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4x8xf32>, tensor<16x2x4xf32>) -> tensor<4x8x16xf32>
      %202 = stablehlo.add %196, %201 : tensor<4x8x16xf32>
      %203 = stablehlo.dot_general %200, %20, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4x8xf32>, tensor<4x8x16xf32>) -> tensor<2x4x16xf32>
      %204 = stablehlo.transpose %203, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %205 = "stablehlo.all_reduce"(%204) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<16x2x4xf32>) -> tensor<16x2x4xf32>
      %206 = stablehlo.transpose %194, dims = [1, 3, 0, 2] : (tensor<4x2x8x4xf32>) -> tensor<2x4x4x8xf32>
      %207 = stablehlo.dot_general %206, %arg11, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4x8xf32>, tensor<16x2x4xf32>) -> tensor<4x8x16xf32>
      %208 = stablehlo.add %202, %207 : tensor<4x8x16xf32>
      %209 = stablehlo.dot_general %206, %20, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<2x4x4x8xf32>, tensor<4x8x16xf32>) -> tensor<2x4x16xf32>
      %210 = stablehlo.transpose %209, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %211 = "stablehlo.all_reduce"(%210) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<16x2x4xf32>) -> tensor<16x2x4xf32>
      %212 = "stablehlo.all_reduce"(%208) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
      %213 = stablehlo.multiply %7, %212 : tensor<4x8x16xf32>
      %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %214 = stablehlo.reduce(%213 init: %cst_36) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
      %215 = stablehlo.reshape %214 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
      %216 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
      %217 = stablehlo.multiply %212, %216 : tensor<4x8x16xf32>
      %218 = stablehlo.add %169, %217 : tensor<4x8x16xf32>
      %219 = stablehlo.multiply %215, %18 : tensor<4x8x1xf32>
      %220 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
      %221 = stablehlo.divide %219, %220 : tensor<4x8x1xf32>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %222 = stablehlo.reduce(%221 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
      %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
      %224 = stablehlo.multiply %7, %223 : tensor<4x8x16xf32>
      %225 = stablehlo.add %218, %224 : tensor<4x8x16xf32>
      %226 = stablehlo.multiply %223, %7 : tensor<4x8x16xf32>
      %227 = stablehlo.add %225, %226 : tensor<4x8x16xf32>
      %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %228 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %229 = "stablehlo.scatter"(%228, %6, %227) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
      %230 = "stablehlo.all_reduce"(%229) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
        %255 = stablehlo.add %arg20, %arg21 : tensor<f32>
        stablehlo.return %255 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
      %cst_39 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %231 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %232 = stablehlo.multiply %231, %230 : tensor<32x16xf32>
      %233 = stablehlo.subtract %arg10, %232 : tensor<32x16xf32>
      %cst_40 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %234 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %235 = stablehlo.multiply %234, %211 : tensor<16x2x4xf32>
      %236 = stablehlo.subtract %arg11, %235 : tensor<16x2x4xf32>
      %cst_41 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %237 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %238 = stablehlo.multiply %237, %205 : tensor<16x2x4xf32>
      %239 = stablehlo.subtract %arg12, %238 : tensor<16x2x4xf32>
      %cst_42 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %240 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x2x4xf32>
      %241 = stablehlo.multiply %240, %199 : tensor<16x2x4xf32>
      %242 = stablehlo.subtract %arg13, %241 : tensor<16x2x4xf32>
      %cst_43 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %243 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
      %244 = stablehlo.multiply %243, %174 : tensor<2x4x16xf32>
      %245 = stablehlo.subtract %arg14, %244 : tensor<2x4x16xf32>
      %cst_44 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %246 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
      %247 = stablehlo.multiply %246, %153 : tensor<16x8xf32>
      %248 = stablehlo.subtract %arg15, %247 : tensor<16x8xf32>
      %cst_45 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %249 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
      %250 = stablehlo.multiply %249, %135 : tensor<8x16xf32>
      %251 = stablehlo.subtract %arg16, %250 : tensor<8x16xf32>
      %cst_46 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %252 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %253 = stablehlo.multiply %252, %117 : tensor<16x32xf32>
      %254 = stablehlo.subtract %arg17, %253 : tensor<16x32xf32>
      sdy.return %233, %236, %239, %242, %245, %248, %251, %254, %107 : tensor<32x16xf32>, tensor<16x2x4xf32>, tensor<16x2x4xf32>, tensor<16x2x4xf32>, tensor<2x4x16xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<16x32xf32>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<4x2x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<4x2x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %3, %1 : tensor<4x2x8x8xf32>, tensor<4x2x8x8xi1>
  }
  func.func private @log_softmax(%arg0: tensor<4x8x32xf32>) -> (tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8x32xf32>
    %6 = stablehlo.exponential %5 : tensor<4x8x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %9 = stablehlo.log %8 : tensor<4x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x8x32xf32>
    return %11, %6, %8 : tensor<4x8x32xf32>, tensor<4x8x32xf32>, tensor<4x8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x8x32xf32>, %arg1: tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x8x1xi1>, tensor<4x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x8x1xi32>) -> tensor<4x8x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x8x1x1xi1>, tensor<i1>) -> tensor<4x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x8x1xi1>, tensor<4x8x1xf32>
    return %15, %5 : tensor<4x8x1xf32>, tensor<4x8x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<4x8x32xf32>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x8x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x8x32xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x8x32xf32>
    return %7 : tensor<4x8x32xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x2x8x8xi1>, %arg1: tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x2x8x8xi1>, tensor<4x2x8x8xf32>
    return %1 : tensor<4x2x8x8xf32>
  }
}
