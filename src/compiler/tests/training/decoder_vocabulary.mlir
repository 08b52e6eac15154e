module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["t"=4]> {stablehlo.mesh = {axes = [{name = "t", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, %arg1: tensor<16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, %arg2: tensor<16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, %arg3: tensor<16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, %arg4: tensor<8x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}, {}]>}, %arg5: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, %arg6: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, %arg7: tensor<16x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, %arg8: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg9: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<256x16xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, tensor<16x8x4xf32> {jax.result_info = "result[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, tensor<16x8x4xf32> {jax.result_info = "result[0][2]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, tensor<16x8x4xf32> {jax.result_info = "result[0][3]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}]>}, tensor<8x4x16xf32> {jax.result_info = "result[0][4]", sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[0][5]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, tensor<32x16xf32> {jax.result_info = "result[0][6]", sdy.sharding = #sdy.sharding<@mesh, [{"t"}, {}]>}, tensor<16x256xf32> {jax.result_info = "result[0][7]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %1 = stablehlo.compare LT, %arg8, %0, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<256> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %3 = stablehlo.add %arg8, %2 : tensor<8x8xi32>
    %4 = stablehlo.select %1, %3, %arg8 : tensor<8x8xi1>, tensor<8x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<256x16xf32>, tensor<8x8x1xi32>) -> tensor<8x8x16xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<8x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<8x8x1xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<8x8x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<8x8x1xf32>
    %15 = stablehlo.divide %14, %13 : tensor<8x8x1xf32>
    %cst_3 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<8x8x1xf32>
    %18 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %19 = stablehlo.multiply %6, %18 : tensor<8x8x16xf32>
    %20 = stablehlo.dot_general %arg1, %19, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x8x4xf32>, tensor<8x8x16xf32>) -> tensor<8x4x8x8xf32>
    %21 = stablehlo.transpose %20, dims = [2, 0, 3, 1] : (tensor<8x4x8x8xf32>) -> tensor<8x8x8x4xf32>
    %22 = stablehlo.dot_general %arg2, %19, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x8x4xf32>, tensor<8x8x16xf32>) -> tensor<8x4x8x8xf32>
    %23 = stablehlo.transpose %22, dims = [2, 0, 3, 1] : (tensor<8x4x8x8xf32>) -> tensor<8x8x8x4xf32>
    %24 = stablehlo.dot_general %arg3, %19, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x8x4xf32>, tensor<8x8x16xf32>) -> tensor<8x4x8x8xf32>
    %25 = stablehlo.transpose %24, dims = [2, 0, 3, 1] : (tensor<8x4x8x8xf32>) -> tensor<8x8x8x4xf32>
    %26 = stablehlo.dot_general %21, %23, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x8xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %28 = stablehlo.divide %26, %27 : tensor<8x8x8x8xf32>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %29 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %30 = call @tril(%29) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %31:2 = call @_where(%30, %28, %cst_6) : (tensor<8x8xi1>, tensor<8x8x8x8xf32>, tensor<f32>) -> (tensor<8x8x8x8xf32>, tensor<8x8x8x8xi1>)
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31#0 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
    %34 = stablehlo.maximum %33, %32 : tensor<8x8x8xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %37 = stablehlo.subtract %31#0, %36 : tensor<8x8x8x8xf32>
    %38 = stablehlo.exponential %37 : tensor<8x8x8x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %42 = stablehlo.divide %38, %41 : tensor<8x8x8x8xf32>
    %43 = stablehlo.multiply %40, %40 : tensor<8x8x8x1xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x8x8x1xf32>
    %45 = stablehlo.divide %44, %43 : tensor<8x8x8x1xf32>
    %46 = stablehlo.dot_general %25, %42, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x4xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x4x8xf32>
    %47 = stablehlo.dot_general %46, %arg4, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x4x8xf32>, tensor<8x4x16xf32>) -> tensor<8x8x16xf32>
    %48 = stablehlo.add %6, %47 : tensor<8x8x16xf32>
    %49 = stablehlo.multiply %48, %48 : tensor<8x8x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %53 = stablehlo.divide %51, %52 : tensor<8x8x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %55 = stablehlo.add %53, %54 : tensor<8x8x1xf32>
    %56 = stablehlo.rsqrt %55 : tensor<8x8x1xf32>
    %57 = stablehlo.divide %56, %55 : tensor<8x8x1xf32>
    %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<8x8x1xf32>
    %60 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %61 = stablehlo.multiply %48, %60 : tensor<8x8x16xf32>
    %62 = stablehlo.dot_general %61, %arg5, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<16x32xf32>) -> tensor<8x8x32xf32>
    %63 = stablehlo.multiply %62, %62 : tensor<8x8x32xf32>
    %64 = stablehlo.multiply %63, %62 : tensor<8x8x32xf32>
    %65 = stablehlo.multiply %62, %62 : tensor<8x8x32xf32>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<8x8x32xf32>
    %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %69 = stablehlo.multiply %68, %64 : tensor<8x8x32xf32>
    %70 = stablehlo.add %62, %69 : tensor<8x8x32xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<8x8x32xf32>
    %73 = stablehlo.tanh %72 : tensor<8x8x32xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %75 = stablehlo.subtract %74, %73 : tensor<8x8x32xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %77 = stablehlo.add %76, %73 : tensor<8x8x32xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<8x8x32xf32>
    %80 = stablehlo.multiply %62, %79 : tensor<8x8x32xf32>
    %81 = stablehlo.dot_general %80, %arg6, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<32x16xf32>) -> tensor<8x8x16xf32>
    %82 = stablehlo.add %48, %81 : tensor<8x8x16xf32>
    %83 = stablehlo.multiply %82, %82 : tensor<8x8x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_22 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %87 = stablehlo.divide %85, %86 : tensor<8x8x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %89 = stablehlo.add %87, %88 : tensor<8x8x1xf32>
    %90 = stablehlo.rsqrt %89 : tensor<8x8x1xf32>
    %91 = stablehlo.divide %90, %89 : tensor<8x8x1xf32>
    %cst_24 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<8x8x1xf32>
    %94 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %95 = stablehlo.multiply %82, %94 : tensor<8x8x16xf32>
    %96 = stablehlo.dot_general %95, %arg7, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<16x256xf32>) -> tensor<8x8x256xf32>
    %97:3 = call @log_softmax(%96) : (tensor<8x8x256xf32>) -> (tensor<8x8x256xf32>, tensor<8x8x256xf32>, tensor<8x8x1xf32>)
    %98 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
    %99:2 = call @take_along_axis(%97#0, %98) : (tensor<8x8x256xf32>, tensor<8x8x1xi32>) -> (tensor<8x8x1xf32>, tensor<8x8x1x1xi32>)
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99#0 init: %cst_25) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_26 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %101 = stablehlo.divide %100, %cst_26 : tensor<f32>
    %102 = stablehlo.negate %101 : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %103 = stablehlo.negate %cst_27 : tensor<f32>
    %cst_28 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %104 = stablehlo.divide %103, %cst_28 : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %104, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %106 = call @take_along_axis_0(%99#1, %105) : (tensor<8x8x1x1xi32>, tensor<8x8x1xf32>) -> tensor<8x8x256xf32>
    %107 = call @log_softmax_1(%97#1, %97#2, %106) : (tensor<8x8x256xf32>, tensor<8x8x1xf32>, tensor<8x8x256xf32>) -> tensor<8x8x256xf32>
    %108 = stablehlo.dot_general %107, %95, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x256xf32>, tensor<8x8x16xf32>) -> tensor<256x16xf32>
    %109 = stablehlo.transpose %108, dims = [1, 0] : (tensor<256x16xf32>) -> tensor<16x256xf32>
    %110 = stablehlo.dot_general %107, %arg7, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x256xf32>, tensor<16x256xf32>) -> tensor<8x8x16xf32>
    %111 = stablehlo.multiply %82, %110 : tensor<8x8x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.reduce(%111 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %113 = stablehlo.reshape %112 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %114 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %115 = stablehlo.multiply %110, %114 : tensor<8x8x16xf32>
    %116 = stablehlo.multiply %113, %93 : tensor<8x8x1xf32>
    %cst_30 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %118 = stablehlo.divide %116, %117 : tensor<8x8x1xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %121 = stablehlo.multiply %82, %120 : tensor<8x8x16xf32>
    %122 = stablehlo.add %115, %121 : tensor<8x8x16xf32>
    %123 = stablehlo.multiply %120, %82 : tensor<8x8x16xf32>
    %124 = stablehlo.add %122, %123 : tensor<8x8x16xf32>
    %125 = stablehlo.dot_general %124, %80, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x8x32xf32>) -> tensor<16x32xf32>
    %126 = stablehlo.transpose %125, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %127 = stablehlo.dot_general %124, %arg6, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<32x16xf32>) -> tensor<8x8x32xf32>
    %128 = stablehlo.multiply %62, %127 : tensor<8x8x32xf32>
    %129 = stablehlo.multiply %127, %79 : tensor<8x8x32xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %131 = stablehlo.multiply %130, %128 : tensor<8x8x32xf32>
    %132 = stablehlo.multiply %131, %75 : tensor<8x8x32xf32>
    %133 = stablehlo.multiply %132, %73 : tensor<8x8x32xf32>
    %134 = stablehlo.add %132, %133 : tensor<8x8x32xf32>
    %cst_33 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %136 = stablehlo.multiply %135, %134 : tensor<8x8x32xf32>
    %137 = stablehlo.add %129, %136 : tensor<8x8x32xf32>
    %cst_34 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %139 = stablehlo.multiply %138, %136 : tensor<8x8x32xf32>
    %140 = stablehlo.multiply %139, %67 : tensor<8x8x32xf32>
    %141 = stablehlo.add %137, %140 : tensor<8x8x32xf32>
    %142 = stablehlo.dot_general %141, %61, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<8x8x16xf32>) -> tensor<32x16xf32>
    %143 = stablehlo.transpose %142, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %144 = stablehlo.dot_general %141, %arg5, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<16x32xf32>) -> tensor<8x8x16xf32>
    %145 = stablehlo.multiply %48, %144 : tensor<8x8x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %146 = stablehlo.reduce(%145 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %147 = stablehlo.reshape %146 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %148 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %149 = stablehlo.multiply %144, %148 : tensor<8x8x16xf32>
    %150 = stablehlo.add %124, %149 : tensor<8x8x16xf32>
    %151 = stablehlo.multiply %147, %59 : tensor<8x8x1xf32>
    %cst_36 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %153 = stablehlo.divide %151, %152 : tensor<8x8x1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.reduce(%153 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %156 = stablehlo.multiply %48, %155 : tensor<8x8x16xf32>
    %157 = stablehlo.add %150, %156 : tensor<8x8x16xf32>
    %158 = stablehlo.multiply %155, %48 : tensor<8x8x16xf32>
    %159 = stablehlo.add %157, %158 : tensor<8x8x16xf32>
    %160 = stablehlo.dot_general %159, %46, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x8x4x8xf32>) -> tensor<16x8x4xf32>
    %161 = stablehlo.transpose %160, dims = [1, 2, 0] : (tensor<16x8x4xf32>) -> tensor<8x4x16xf32>
    %162 = stablehlo.dot_general %159, %arg4, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x4x16xf32>) -> tensor<8x8x8x4xf32>
    %163 = stablehlo.transpose %162, dims = [0, 2, 3, 1] : (tensor<8x8x8x4xf32>) -> tensor<8x8x4x8xf32>
    %164 = stablehlo.dot_general %163, %25, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x4x8xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x8xf32>
    %165 = stablehlo.dot_general %163, %42, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x4x8xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x4x8xf32>
    %166 = stablehlo.transpose %165, dims = [0, 1, 3, 2] : (tensor<8x8x4x8xf32>) -> tensor<8x8x8x4xf32>
    %167 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %168 = stablehlo.multiply %164, %167 : tensor<8x8x8x8xf32>
    %169 = stablehlo.multiply %168, %38 : tensor<8x8x8x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.reduce(%169 init: %cst_38) applies stablehlo.add across dimensions = [3] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %171 = stablehlo.reshape %170 : (tensor<8x8x8xf32>) -> tensor<8x8x8x1xf32>
    %172 = stablehlo.negate %171 : tensor<8x8x8x1xf32>
    %173 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %174 = stablehlo.divide %164, %173 : tensor<8x8x8x8xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.reduce(%172 init: %cst_39) applies stablehlo.add across dimensions = [3] : (tensor<8x8x8x1xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8x8xf32>
    %177 = stablehlo.add %174, %176 : tensor<8x8x8x8xf32>
    %178 = stablehlo.multiply %177, %38 : tensor<8x8x8x8xf32>
    %179 = call @_where_2(%31#1, %178) : (tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
    %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %181 = stablehlo.divide %179, %180 : tensor<8x8x8x8xf32>
    %182 = stablehlo.dot_general %181, %21, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
    %183 = stablehlo.dot_general %181, %23, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
    %184 = stablehlo.transpose %166, dims = [1, 3, 0, 2] : (tensor<8x8x8x4xf32>) -> tensor<8x4x8x8xf32>
    %185 = stablehlo.dot_general %184, %arg3, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<16x8x4xf32>) -> tensor<8x8x16xf32>
    %186 = stablehlo.dot_general %184, %19, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x4x16xf32>
    %187 = stablehlo.transpose %186, dims = [2, 0, 1] : (tensor<8x4x16xf32>) -> tensor<16x8x4xf32>
    %188 = stablehlo.transpose %182, dims = [1, 3, 0, 2] : (tensor<8x8x8x4xf32>) -> tensor<8x4x8x8xf32>
    %189 = stablehlo.dot_general %188, %arg2, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<16x8x4xf32>) -> tensor<8x8x16xf32>
    %190 = stablehlo.add %185, %189 : tensor<8x8x16xf32>
    %191 = stablehlo.dot_general %188, %19, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x4x16xf32>
    %192 = stablehlo.transpose %191, dims = [2, 0, 1] : (tensor<8x4x16xf32>) -> tensor<16x8x4xf32>
    %193 = stablehlo.transpose %183, dims = [1, 3, 0, 2] : (tensor<8x8x8x4xf32>) -> tensor<8x4x8x8xf32>
    %194 = stablehlo.dot_general %193, %arg1, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<16x8x4xf32>) -> tensor<8x8x16xf32>
    %195 = stablehlo.add %190, %194 : tensor<8x8x16xf32>
    %196 = stablehlo.dot_general %193, %19, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x4x16xf32>
    %197 = stablehlo.transpose %196, dims = [2, 0, 1] : (tensor<8x4x16xf32>) -> tensor<16x8x4xf32>
    %198 = stablehlo.multiply %6, %195 : tensor<8x8x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.reduce(%198 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %200 = stablehlo.reshape %199 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %201 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %202 = stablehlo.multiply %195, %201 : tensor<8x8x16xf32>
    %203 = stablehlo.add %159, %202 : tensor<8x8x16xf32>
    %204 = stablehlo.multiply %200, %17 : tensor<8x8x1xf32>
    %cst_42 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %206 = stablehlo.divide %204, %205 : tensor<8x8x1xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.reduce(%206 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %209 = stablehlo.multiply %6, %208 : tensor<8x8x16xf32>
    %210 = stablehlo.add %203, %209 : tensor<8x8x16xf32>
    %211 = stablehlo.multiply %208, %6 : tensor<8x8x16xf32>
    %212 = stablehlo.add %210, %211 : tensor<8x8x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<256x16xf32>
    %214 = "stablehlo.scatter"(%213, %5, %212) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %239 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %239 : tensor<f32>
    }) : (tensor<256x16xf32>, tensor<8x8x1xi32>, tensor<8x8x16xf32>) -> tensor<256x16xf32>
    %cst_45 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<256x16xf32>
    %216 = stablehlo.multiply %215, %214 : tensor<256x16xf32>
    %217 = stablehlo.subtract %arg0, %216 : tensor<256x16xf32>
    %cst_46 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x8x4xf32>
    %219 = stablehlo.multiply %218, %197 : tensor<16x8x4xf32>
    %220 = stablehlo.subtract %arg1, %219 : tensor<16x8x4xf32>
    %cst_47 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<16x8x4xf32>
    %222 = stablehlo.multiply %221, %192 : tensor<16x8x4xf32>
    %223 = stablehlo.subtract %arg2, %222 : tensor<16x8x4xf32>
    %cst_48 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x8x4xf32>
    %225 = stablehlo.multiply %224, %187 : tensor<16x8x4xf32>
    %226 = stablehlo.subtract %arg3, %225 : tensor<16x8x4xf32>
    %cst_49 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %228 = stablehlo.multiply %227, %161 : tensor<8x4x16xf32>
    %229 = stablehlo.subtract %arg4, %228 : tensor<8x4x16xf32>
    %cst_50 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %231 = stablehlo.multiply %230, %143 : tensor<16x32xf32>
    %232 = stablehlo.subtract %arg5, %231 : tensor<16x32xf32>
    %cst_51 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %234 = stablehlo.multiply %233, %126 : tensor<32x16xf32>
    %235 = stablehlo.subtract %arg6, %234 : tensor<32x16xf32>
    %cst_52 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %237 = stablehlo.multiply %236, %109 : tensor<16x256xf32>
    %238 = stablehlo.subtract %arg7, %237 : tensor<16x256xf32>
    return %217, %220, %223, %226, %229, %232, %235, %238, %102 : tensor<256x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16x256xf32>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<8x8x8x8xf32>, %arg2: tensor<f32>) -> (tensor<8x8x8x8xf32>, tensor<8x8x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<8x8x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>
    return %3, %1 : tensor<8x8x8x8xf32>, tensor<8x8x8x8xi1>
  }
  func.func private @log_softmax(%arg0: tensor<8x8x256xf32>) -> (tensor<8x8x256xf32>, tensor<8x8x256xf32>, tensor<8x8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x8x256xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8x8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x256xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x8x256xf32>
    %6 = stablehlo.exponential %5 : tensor<8x8x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x8x256xf32>, tensor<f32>) -> tensor<8x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %9 = stablehlo.log %8 : tensor<8x8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x256xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x8x256xf32>
    return %11, %6, %8 : tensor<8x8x256xf32>, tensor<8x8x256xf32>, tensor<8x8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x8x256xf32>, %arg1: tensor<8x8x1xi32>) -> (tensor<8x8x1xf32>, tensor<8x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x8x1xi32>, tensor<8x8x1xi32>) -> tensor<8x8x1xi1>
    %c_0 = stablehlo.constant dense<256> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x8x1xi1>, tensor<8x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x8x1xi32>) -> tensor<8x8x1x1xi32>
    %c_1 = stablehlo.constant dense<255> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x8x1x1xi32>, tensor<8x8x1x1xi32>) -> tensor<8x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x8x1x1xi32>, tensor<8x8x1x1xi32>) -> tensor<8x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x8x1x1xi1>, tensor<i1>) -> tensor<8x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x8x256xf32>, tensor<8x8x1x1xi32>) -> tensor<8x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x8x1xi1>, tensor<8x8x1xf32>
    return %15, %5 : tensor<8x8x1xf32>, tensor<8x8x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x8x1x1xi32>, %arg1: tensor<8x8x1xf32>) -> tensor<8x8x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x256xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x8x256xf32>, tensor<8x8x1x1xi32>, tensor<8x8x1xf32>) -> tensor<8x8x256xf32>
    return %1 : tensor<8x8x256xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x8x256xf32>, %arg1: tensor<8x8x1xf32>, %arg2: tensor<8x8x256xf32>) -> tensor<8x8x256xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x8x256xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x8x256xf32>, tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.reshape %1 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x256xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x8x256xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x8x256xf32>
    return %7 : tensor<8x8x256xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x8x8x8xi1>, %arg1: tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>
    return %1 : tensor<8x8x8x8xf32>
  }
}
