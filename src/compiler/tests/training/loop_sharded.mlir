module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=2, "t"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 2 : i64}, {name = "t", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg1: tensor<2x16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}, {}]>}, %arg2: tensor<2x16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}, {}]>}, %arg3: tensor<2x16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}, {}]>}, %arg4: tensor<2x8x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}, {"d"}]>}, %arg5: tensor<2x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}]>}, %arg6: tensor<2x32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {"d"}]>}, %arg7: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg8: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg9: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<32x16xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<2x16x8x4xf32> {jax.result_info = "result[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}, {}]>}, tensor<2x16x8x4xf32> {jax.result_info = "result[0][2]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}, {}]>}, tensor<2x16x8x4xf32> {jax.result_info = "result[0][3]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}, {}]>}, tensor<2x8x4x16xf32> {jax.result_info = "result[0][4]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {}, {"d"}]>}, tensor<2x16x32xf32> {jax.result_info = "result[0][5]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"d"}, {"t"}]>}, tensor<2x32x16xf32> {jax.result_info = "result[0][6]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"t"}, {"d"}]>}, tensor<16x32xf32> {jax.result_info = "result[0][7]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %1 = stablehlo.compare LT, %arg8, %0, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %3 = stablehlo.add %arg8, %2 : tensor<8x8xi32>
    %4 = stablehlo.select %1, %3, %arg8 : tensor<8x8xi1>, tensor<8x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<8x8x1xi32>) -> tensor<8x8x16xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %8 = call @tril(%7) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %9:2 = call @_where(%8, %cst) : (tensor<8x8xi1>, tensor<f32>) -> (tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>)
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x8x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8x8x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x8x8x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x8x8x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x8x8x8x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x8x8x8x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x8x8x8x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x8x8x8x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x8x8x8x1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x8x8x8x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x8x8x8x4xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x8x8x4x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x8x8x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x8x8x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x8x8x1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x8x8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x8x8x32xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %32:32 = stablehlo.while(%iterArg = %arg1, %iterArg_52 = %arg2, %iterArg_53 = %arg3, %iterArg_54 = %arg4, %iterArg_55 = %arg5, %iterArg_56 = %arg6, %iterArg_57 = %9#0, %iterArg_58 = %9#1, %iterArg_59 = %c_24, %iterArg_60 = %6, %iterArg_61 = %10, %iterArg_62 = %11, %iterArg_63 = %12, %iterArg_64 = %13, %iterArg_65 = %14, %iterArg_66 = %15, %iterArg_67 = %16, %iterArg_68 = %17, %iterArg_69 = %18, %iterArg_70 = %19, %iterArg_71 = %20, %iterArg_72 = %21, %iterArg_73 = %22, %iterArg_74 = %23, %iterArg_75 = %24, %iterArg_76 = %25, %iterArg_77 = %26, %iterArg_78 = %27, %iterArg_79 = %28, %iterArg_80 = %29, %iterArg_81 = %30, %iterArg_82 = %31) : tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x8x4x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>, tensor<i32>, tensor<8x8x16xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x4x8xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>
    cond {
      %c_83 = stablehlo.constant dense<2> : tensor<i32>
      %108 = stablehlo.compare LT, %iterArg_59, %c_83, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %108 : tensor<i1>
    } do {
      %108 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_59) : (tensor<2x16x8x4xf32>, tensor<i32>) -> tensor<16x8x4xf32>
      %109 = func.call @dynamic_index_in_dim(%iterArg_52, %iterArg_59) : (tensor<2x16x8x4xf32>, tensor<i32>) -> tensor<16x8x4xf32>
      %110 = func.call @dynamic_index_in_dim(%iterArg_53, %iterArg_59) : (tensor<2x16x8x4xf32>, tensor<i32>) -> tensor<16x8x4xf32>
      %111 = func.call @dynamic_index_in_dim_0(%iterArg_54, %iterArg_59) : (tensor<2x8x4x16xf32>, tensor<i32>) -> tensor<8x4x16xf32>
      %112 = func.call @dynamic_index_in_dim_1(%iterArg_55, %iterArg_59) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %113 = func.call @dynamic_index_in_dim_2(%iterArg_56, %iterArg_59) : (tensor<2x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %114:23 = func.call @closed_call(%iterArg_57, %iterArg_58, %iterArg_60, %108, %109, %110, %111, %112, %113) : (tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>, tensor<8x8x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>) -> (tensor<8x8x16xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<8x8x16xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>, tensor<8x8x4x8xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<8x8x16xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>)
      %115 = func.call @dynamic_update_index_in_dim(%iterArg_61, %114#1, %iterArg_59) : (tensor<2x8x8x16xf32>, tensor<8x8x16xf32>, tensor<i32>) -> tensor<2x8x8x16xf32>
      %116 = func.call @dynamic_update_index_in_dim_4(%iterArg_62, %114#2, %iterArg_59) : (tensor<2x8x8x1xf32>, tensor<8x8x1xf32>, tensor<i32>) -> tensor<2x8x8x1xf32>
      %117 = func.call @dynamic_update_index_in_dim_4(%iterArg_63, %114#3, %iterArg_59) : (tensor<2x8x8x1xf32>, tensor<8x8x1xf32>, tensor<i32>) -> tensor<2x8x8x1xf32>
      %118 = func.call @dynamic_update_index_in_dim(%iterArg_64, %114#4, %iterArg_59) : (tensor<2x8x8x16xf32>, tensor<8x8x16xf32>, tensor<i32>) -> tensor<2x8x8x16xf32>
      %119 = func.call @dynamic_update_index_in_dim_5(%iterArg_65, %114#5, %iterArg_59) : (tensor<2x8x8x8x4xf32>, tensor<8x8x8x4xf32>, tensor<i32>) -> tensor<2x8x8x8x4xf32>
      %120 = func.call @dynamic_update_index_in_dim_5(%iterArg_66, %114#6, %iterArg_59) : (tensor<2x8x8x8x4xf32>, tensor<8x8x8x4xf32>, tensor<i32>) -> tensor<2x8x8x8x4xf32>
      %121 = func.call @dynamic_update_index_in_dim_6(%iterArg_67, %114#7, %iterArg_59) : (tensor<2x8x8x8x8xf32>, tensor<8x8x8x8xf32>, tensor<i32>) -> tensor<2x8x8x8x8xf32>
      %122 = func.call @dynamic_update_index_in_dim_7(%iterArg_68, %114#8, %iterArg_59) : (tensor<2x8x8x8x1xf32>, tensor<8x8x8x1xf32>, tensor<i32>) -> tensor<2x8x8x8x1xf32>
      %123 = func.call @dynamic_update_index_in_dim_7(%iterArg_69, %114#9, %iterArg_59) : (tensor<2x8x8x8x1xf32>, tensor<8x8x8x1xf32>, tensor<i32>) -> tensor<2x8x8x8x1xf32>
      %124 = func.call @dynamic_update_index_in_dim_6(%iterArg_70, %114#10, %iterArg_59) : (tensor<2x8x8x8x8xf32>, tensor<8x8x8x8xf32>, tensor<i32>) -> tensor<2x8x8x8x8xf32>
      %125 = func.call @dynamic_update_index_in_dim_5(%iterArg_71, %114#11, %iterArg_59) : (tensor<2x8x8x8x4xf32>, tensor<8x8x8x4xf32>, tensor<i32>) -> tensor<2x8x8x8x4xf32>
      %126 = func.call @dynamic_update_index_in_dim_8(%iterArg_72, %114#12, %iterArg_59) : (tensor<2x8x8x4x8xf32>, tensor<8x8x4x8xf32>, tensor<i32>) -> tensor<2x8x8x4x8xf32>
      %127 = func.call @dynamic_update_index_in_dim(%iterArg_73, %114#13, %iterArg_59) : (tensor<2x8x8x16xf32>, tensor<8x8x16xf32>, tensor<i32>) -> tensor<2x8x8x16xf32>
      %128 = func.call @dynamic_update_index_in_dim_4(%iterArg_74, %114#14, %iterArg_59) : (tensor<2x8x8x1xf32>, tensor<8x8x1xf32>, tensor<i32>) -> tensor<2x8x8x1xf32>
      %129 = func.call @dynamic_update_index_in_dim_4(%iterArg_75, %114#15, %iterArg_59) : (tensor<2x8x8x1xf32>, tensor<8x8x1xf32>, tensor<i32>) -> tensor<2x8x8x1xf32>
      %130 = func.call @dynamic_update_index_in_dim(%iterArg_76, %114#16, %iterArg_59) : (tensor<2x8x8x16xf32>, tensor<8x8x16xf32>, tensor<i32>) -> tensor<2x8x8x16xf32>
      %131 = func.call @dynamic_update_index_in_dim_9(%iterArg_77, %114#17, %iterArg_59) : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %132 = func.call @dynamic_update_index_in_dim_9(%iterArg_78, %114#18, %iterArg_59) : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %133 = func.call @dynamic_update_index_in_dim_9(%iterArg_79, %114#19, %iterArg_59) : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %134 = func.call @dynamic_update_index_in_dim_9(%iterArg_80, %114#20, %iterArg_59) : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %135 = func.call @dynamic_update_index_in_dim_9(%iterArg_81, %114#21, %iterArg_59) : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %136 = func.call @dynamic_update_index_in_dim_9(%iterArg_82, %114#22, %iterArg_59) : (tensor<2x8x8x32xf32>, tensor<8x8x32xf32>, tensor<i32>) -> tensor<2x8x8x32xf32>
      %c_83 = stablehlo.constant dense<1> : tensor<i32>
      %137 = stablehlo.add %iterArg_59, %c_83 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %137, %114#0, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136 : tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x8x4x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>, tensor<i32>, tensor<8x8x16xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x4x8xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>
    }
    %33 = stablehlo.multiply %32#9, %32#9 : tensor<8x8x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_26 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %37 = stablehlo.divide %35, %36 : tensor<8x8x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %39 = stablehlo.add %37, %38 : tensor<8x8x1xf32>
    %40 = stablehlo.rsqrt %39 : tensor<8x8x1xf32>
    %41 = stablehlo.divide %40, %39 : tensor<8x8x1xf32>
    %cst_28 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<8x8x1xf32>
    %44 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %45 = stablehlo.multiply %32#9, %44 : tensor<8x8x16xf32>
    %46 = stablehlo.dot_general %45, %arg7, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<16x32xf32>) -> tensor<8x8x32xf32>
    %47:3 = call @log_softmax(%46) : (tensor<8x8x32xf32>) -> (tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x1xf32>)
    %48 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
    %49:2 = call @take_along_axis(%47#0, %48) : (tensor<8x8x32xf32>, tensor<8x8x1xi32>) -> (tensor<8x8x1xf32>, tensor<8x8x1x1xi32>)
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49#0 init: %cst_29) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_30 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %51 = stablehlo.divide %50, %cst_30 : tensor<f32>
    %52 = stablehlo.negate %51 : tensor<f32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.negate %cst_31 : tensor<f32>
    %cst_32 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %54 = stablehlo.divide %53, %cst_32 : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %56 = call @take_along_axis_10(%49#1, %55) : (tensor<8x8x1x1xi32>, tensor<8x8x1xf32>) -> tensor<8x8x32xf32>
    %57 = call @log_softmax_11(%47#1, %47#2, %56) : (tensor<8x8x32xf32>, tensor<8x8x1xf32>, tensor<8x8x32xf32>) -> tensor<8x8x32xf32>
    %58 = stablehlo.dot_general %57, %45, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<8x8x16xf32>) -> tensor<32x16xf32>
    %59 = stablehlo.transpose %58, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %60 = stablehlo.dot_general %57, %arg7, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<16x32xf32>) -> tensor<8x8x16xf32>
    %61 = stablehlo.multiply %32#9, %60 : tensor<8x8x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %63 = stablehlo.reshape %62 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %64 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %65 = stablehlo.multiply %60, %64 : tensor<8x8x16xf32>
    %66 = stablehlo.multiply %63, %43 : tensor<8x8x1xf32>
    %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %68 = stablehlo.divide %66, %67 : tensor<8x8x1xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %71 = stablehlo.multiply %32#9, %70 : tensor<8x8x16xf32>
    %72 = stablehlo.add %65, %71 : tensor<8x8x16xf32>
    %73 = stablehlo.multiply %70, %32#9 : tensor<8x8x16xf32>
    %74 = stablehlo.add %72, %73 : tensor<8x8x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x16x8x4xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<2x16x8x4xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x16x8x4xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x8x4x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %81:37 = stablehlo.while(%iterArg = %32#10, %iterArg_52 = %32#11, %iterArg_53 = %32#12, %iterArg_54 = %32#13, %iterArg_55 = %arg1, %iterArg_56 = %arg2, %iterArg_57 = %arg3, %iterArg_58 = %32#14, %iterArg_59 = %32#15, %iterArg_60 = %32#16, %iterArg_61 = %32#17, %iterArg_62 = %32#18, %iterArg_63 = %32#19, %iterArg_64 = %32#20, %iterArg_65 = %arg4, %iterArg_66 = %32#21, %iterArg_67 = %32#22, %iterArg_68 = %32#23, %iterArg_69 = %32#24, %iterArg_70 = %arg5, %iterArg_71 = %32#25, %iterArg_72 = %32#26, %iterArg_73 = %32#27, %iterArg_74 = %32#28, %iterArg_75 = %32#29, %iterArg_76 = %32#30, %iterArg_77 = %arg6, %iterArg_78 = %32#31, %iterArg_79 = %9#0, %iterArg_80 = %c_42, %iterArg_81 = %74, %iterArg_82 = %75, %iterArg_83 = %76, %iterArg_84 = %77, %iterArg_85 = %78, %iterArg_86 = %79, %iterArg_87 = %80) : tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x16xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x4x16xf32>, tensor<2x8x8x4x8xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x16x32xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x32x16xf32>, tensor<2x8x8x32xf32>, tensor<8x8x8x8xi1>, tensor<i32>, tensor<8x8x16xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x8x4x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>
    cond {
      %c_88 = stablehlo.constant dense<2> : tensor<i32>
      %108 = stablehlo.compare LT, %iterArg_80, %c_88, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %108 : tensor<i1>
    } do {
      %c_88 = stablehlo.constant dense<2> : tensor<i32>
      %108 = stablehlo.subtract %c_88, %iterArg_80 : tensor<i32>
      %c_89 = stablehlo.constant dense<1> : tensor<i32>
      %109 = stablehlo.subtract %108, %c_89 : tensor<i32>
      %110 = func.call @dynamic_index_in_dim_12(%iterArg, %109) : (tensor<2x8x8x16xf32>, tensor<i32>) -> tensor<8x8x16xf32>
      %111 = func.call @dynamic_index_in_dim_13(%iterArg_52, %109) : (tensor<2x8x8x1xf32>, tensor<i32>) -> tensor<8x8x1xf32>
      %112 = func.call @dynamic_index_in_dim_13(%iterArg_53, %109) : (tensor<2x8x8x1xf32>, tensor<i32>) -> tensor<8x8x1xf32>
      %113 = func.call @dynamic_index_in_dim_12(%iterArg_54, %109) : (tensor<2x8x8x16xf32>, tensor<i32>) -> tensor<8x8x16xf32>
      %114 = func.call @dynamic_index_in_dim(%iterArg_55, %109) : (tensor<2x16x8x4xf32>, tensor<i32>) -> tensor<16x8x4xf32>
      %115 = func.call @dynamic_index_in_dim(%iterArg_56, %109) : (tensor<2x16x8x4xf32>, tensor<i32>) -> tensor<16x8x4xf32>
      %116 = func.call @dynamic_index_in_dim(%iterArg_57, %109) : (tensor<2x16x8x4xf32>, tensor<i32>) -> tensor<16x8x4xf32>
      %117 = func.call @dynamic_index_in_dim_14(%iterArg_58, %109) : (tensor<2x8x8x8x4xf32>, tensor<i32>) -> tensor<8x8x8x4xf32>
      %118 = func.call @dynamic_index_in_dim_14(%iterArg_59, %109) : (tensor<2x8x8x8x4xf32>, tensor<i32>) -> tensor<8x8x8x4xf32>
      %119 = func.call @dynamic_index_in_dim_15(%iterArg_60, %109) : (tensor<2x8x8x8x8xf32>, tensor<i32>) -> tensor<8x8x8x8xf32>
      %120 = func.call @dynamic_index_in_dim_16(%iterArg_61, %109) : (tensor<2x8x8x8x1xf32>, tensor<i32>) -> tensor<8x8x8x1xf32>
      %121 = func.call @dynamic_index_in_dim_16(%iterArg_62, %109) : (tensor<2x8x8x8x1xf32>, tensor<i32>) -> tensor<8x8x8x1xf32>
      %122 = func.call @dynamic_index_in_dim_15(%iterArg_63, %109) : (tensor<2x8x8x8x8xf32>, tensor<i32>) -> tensor<8x8x8x8xf32>
      %123 = func.call @dynamic_index_in_dim_14(%iterArg_64, %109) : (tensor<2x8x8x8x4xf32>, tensor<i32>) -> tensor<8x8x8x4xf32>
      %124 = func.call @dynamic_index_in_dim_0(%iterArg_65, %109) : (tensor<2x8x4x16xf32>, tensor<i32>) -> tensor<8x4x16xf32>
      %125 = func.call @dynamic_index_in_dim_17(%iterArg_66, %109) : (tensor<2x8x8x4x8xf32>, tensor<i32>) -> tensor<8x8x4x8xf32>
      %126 = func.call @dynamic_index_in_dim_12(%iterArg_67, %109) : (tensor<2x8x8x16xf32>, tensor<i32>) -> tensor<8x8x16xf32>
      %127 = func.call @dynamic_index_in_dim_13(%iterArg_68, %109) : (tensor<2x8x8x1xf32>, tensor<i32>) -> tensor<8x8x1xf32>
      %128 = func.call @dynamic_index_in_dim_13(%iterArg_69, %109) : (tensor<2x8x8x1xf32>, tensor<i32>) -> tensor<8x8x1xf32>
      %129 = func.call @dynamic_index_in_dim_1(%iterArg_70, %109) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %130 = func.call @dynamic_index_in_dim_12(%iterArg_71, %109) : (tensor<2x8x8x16xf32>, tensor<i32>) -> tensor<8x8x16xf32>
      %131 = func.call @dynamic_index_in_dim_18(%iterArg_72, %109) : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %132 = func.call @dynamic_index_in_dim_18(%iterArg_73, %109) : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %133 = func.call @dynamic_index_in_dim_18(%iterArg_74, %109) : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %134 = func.call @dynamic_index_in_dim_18(%iterArg_75, %109) : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %135 = func.call @dynamic_index_in_dim_18(%iterArg_76, %109) : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %136 = func.call @dynamic_index_in_dim_2(%iterArg_77, %109) : (tensor<2x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %137 = func.call @dynamic_index_in_dim_18(%iterArg_78, %109) : (tensor<2x8x8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %138:7 = func.call @closed_call_19(%iterArg_79, %iterArg_81, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136, %137) : (tensor<8x8x8x8xi1>, tensor<8x8x16xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<8x8x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>, tensor<8x4x16xf32>, tensor<8x8x4x8xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<16x32xf32>, tensor<8x8x16xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<32x16xf32>, tensor<8x8x32xf32>) -> (tensor<8x8x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>)
      %139 = func.call @dynamic_update_index_in_dim_21(%iterArg_82, %138#1, %109) : (tensor<2x16x8x4xf32>, tensor<16x8x4xf32>, tensor<i32>) -> tensor<2x16x8x4xf32>
      %140 = func.call @dynamic_update_index_in_dim_21(%iterArg_83, %138#2, %109) : (tensor<2x16x8x4xf32>, tensor<16x8x4xf32>, tensor<i32>) -> tensor<2x16x8x4xf32>
      %141 = func.call @dynamic_update_index_in_dim_21(%iterArg_84, %138#3, %109) : (tensor<2x16x8x4xf32>, tensor<16x8x4xf32>, tensor<i32>) -> tensor<2x16x8x4xf32>
      %142 = func.call @dynamic_update_index_in_dim_22(%iterArg_85, %138#4, %109) : (tensor<2x8x4x16xf32>, tensor<8x4x16xf32>, tensor<i32>) -> tensor<2x8x4x16xf32>
      %143 = func.call @dynamic_update_index_in_dim_23(%iterArg_86, %138#5, %109) : (tensor<2x16x32xf32>, tensor<16x32xf32>, tensor<i32>) -> tensor<2x16x32xf32>
      %144 = func.call @dynamic_update_index_in_dim_24(%iterArg_87, %138#6, %109) : (tensor<2x32x16xf32>, tensor<32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
      %c_90 = stablehlo.constant dense<1> : tensor<i32>
      %145 = stablehlo.add %iterArg_80, %c_90 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %iterArg_63, %iterArg_64, %iterArg_65, %iterArg_66, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %iterArg_71, %iterArg_72, %iterArg_73, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %145, %138#0, %139, %140, %141, %142, %143, %144 : tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x16xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x1xf32>, tensor<2x8x8x8x8xf32>, tensor<2x8x8x8x4xf32>, tensor<2x8x4x16xf32>, tensor<2x8x8x4x8xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x1xf32>, tensor<2x8x8x1xf32>, tensor<2x16x32xf32>, tensor<2x8x8x16xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x8x8x32xf32>, tensor<2x32x16xf32>, tensor<2x8x8x32xf32>, tensor<8x8x8x8xi1>, tensor<i32>, tensor<8x8x16xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x8x4x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>
    }
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %83 = "stablehlo.scatter"(%82, %5, %81#30) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %108 = stablehlo.add %arg10, %arg11 : tensor<f32>
      stablehlo.return %108 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<8x8x1xi32>, tensor<8x8x16xf32>) -> tensor<32x16xf32>
    %cst_44 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<32x16xf32>
    %86 = stablehlo.subtract %arg0, %85 : tensor<32x16xf32>
    %cst_45 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x16x8x4xf32>
    %88 = stablehlo.multiply %87, %81#31 : tensor<2x16x8x4xf32>
    %89 = stablehlo.subtract %arg1, %88 : tensor<2x16x8x4xf32>
    %cst_46 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x16x8x4xf32>
    %91 = stablehlo.multiply %90, %81#32 : tensor<2x16x8x4xf32>
    %92 = stablehlo.subtract %arg2, %91 : tensor<2x16x8x4xf32>
    %cst_47 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x16x8x4xf32>
    %94 = stablehlo.multiply %93, %81#33 : tensor<2x16x8x4xf32>
    %95 = stablehlo.subtract %arg3, %94 : tensor<2x16x8x4xf32>
    %cst_48 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2x8x4x16xf32>
    %97 = stablehlo.multiply %96, %81#34 : tensor<2x8x4x16xf32>
    %98 = stablehlo.subtract %arg4, %97 : tensor<2x8x4x16xf32>
    %cst_49 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %100 = stablehlo.multiply %99, %81#35 : tensor<2x16x32xf32>
    %101 = stablehlo.subtract %arg5, %100 : tensor<2x16x32xf32>
    %cst_50 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %103 = stablehlo.multiply %102, %81#36 : tensor<2x32x16xf32>
    %104 = stablehlo.subtract %arg6, %103 : tensor<2x32x16xf32>
    %cst_51 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %106 = stablehlo.multiply %105, %59 : tensor<16x32xf32>
    %107 = stablehlo.subtract %arg7, %106 : tensor<16x32xf32>
    return %86, %89, %92, %95, %98, %101, %104, %107, %52 : tensor<32x16xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x16x8x4xf32>, tensor<2x8x4x16xf32>, tensor<2x16x32xf32>, tensor<2x32x16xf32>, tensor<16x32xf32>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<f32>) -> (tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<8x8x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    return %1, %2 : tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x16x8x4xf32>, %arg1: tensor<i32>) -> tensor<16x8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 16, 8, 4] : (tensor<2x16x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x8x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x8x4xf32>) -> tensor<16x8x4xf32>
    return %1 : tensor<16x8x4xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x8x4x16xf32>, %arg1: tensor<i32>) -> tensor<8x4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 4, 16] : (tensor<2x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4x16xf32>) -> tensor<8x4x16xf32>
    return %1 : tensor<8x4x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<2x16x32xf32>, %arg1: tensor<i32>) -> tensor<16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 32] : (tensor<2x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<2x32x16xf32>, %arg1: tensor<i32>) -> tensor<32x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 16] : (tensor<2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    return %1 : tensor<32x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8x8x8xi1>, %arg1: tensor<8x8x8x8xf32>, %arg2: tensor<8x8x16xf32>, %arg3: tensor<16x8x4xf32>, %arg4: tensor<16x8x4xf32>, %arg5: tensor<16x8x4xf32>, %arg6: tensor<8x4x16xf32>, %arg7: tensor<16x32xf32>, %arg8: tensor<32x16xf32>) -> (tensor<8x8x16xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<8x8x16xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>, tensor<8x8x4x8xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<8x8x16xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>) {
    %0 = stablehlo.multiply %arg2, %arg2 : tensor<8x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<8x8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x8x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<8x8x1xf32>
    %8 = stablehlo.divide %7, %6 : tensor<8x8x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<8x8x1xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %12 = stablehlo.multiply %arg2, %11 : tensor<8x8x16xf32>
    %13 = stablehlo.dot_general %arg3, %12, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x8x4xf32>, tensor<8x8x16xf32>) -> tensor<8x4x8x8xf32>
    %14 = stablehlo.transpose %13, dims = [2, 0, 3, 1] : (tensor<8x4x8x8xf32>) -> tensor<8x8x8x4xf32>
    %15 = stablehlo.dot_general %arg4, %12, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x8x4xf32>, tensor<8x8x16xf32>) -> tensor<8x4x8x8xf32>
    %16 = stablehlo.transpose %15, dims = [2, 0, 3, 1] : (tensor<8x4x8x8xf32>) -> tensor<8x8x8x4xf32>
    %17 = stablehlo.dot_general %arg5, %12, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST] : (tensor<16x8x4xf32>, tensor<8x8x16xf32>) -> tensor<8x4x8x8xf32>
    %18 = stablehlo.transpose %17, dims = [2, 0, 3, 1] : (tensor<8x4x8x8xf32>) -> tensor<8x8x8x4xf32>
    %19 = stablehlo.dot_general %14, %16, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x8xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %21 = stablehlo.divide %19, %20 : tensor<8x8x8x8xf32>
    %22 = call @_where_3(%21, %arg0, %arg1) : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
    %25 = stablehlo.maximum %24, %23 : tensor<8x8x8xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %28 = stablehlo.subtract %22, %27 : tensor<8x8x8x8xf32>
    %29 = stablehlo.exponential %28 : tensor<8x8x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %33 = stablehlo.divide %29, %32 : tensor<8x8x8x8xf32>
    %34 = stablehlo.multiply %31, %31 : tensor<8x8x8x1xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x8x8x1xf32>
    %36 = stablehlo.divide %35, %34 : tensor<8x8x8x1xf32>
    %37 = stablehlo.dot_general %18, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x4xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x4x8xf32>
    %38 = stablehlo.dot_general %37, %arg6, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x4x8xf32>, tensor<8x4x16xf32>) -> tensor<8x8x16xf32>
    %39 = stablehlo.add %arg2, %38 : tensor<8x8x16xf32>
    %40 = stablehlo.multiply %39, %39 : tensor<8x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %44 = stablehlo.divide %42, %43 : tensor<8x8x1xf32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %46 = stablehlo.add %44, %45 : tensor<8x8x1xf32>
    %47 = stablehlo.rsqrt %46 : tensor<8x8x1xf32>
    %48 = stablehlo.divide %47, %46 : tensor<8x8x1xf32>
    %cst_11 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %50 = stablehlo.multiply %49, %48 : tensor<8x8x1xf32>
    %51 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %52 = stablehlo.multiply %39, %51 : tensor<8x8x16xf32>
    %53 = stablehlo.dot_general %52, %arg7, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<16x32xf32>) -> tensor<8x8x32xf32>
    %54 = stablehlo.multiply %53, %53 : tensor<8x8x32xf32>
    %55 = stablehlo.multiply %54, %53 : tensor<8x8x32xf32>
    %56 = stablehlo.multiply %53, %53 : tensor<8x8x32xf32>
    %cst_12 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %58 = stablehlo.multiply %57, %56 : tensor<8x8x32xf32>
    %cst_13 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %60 = stablehlo.multiply %59, %55 : tensor<8x8x32xf32>
    %61 = stablehlo.add %53, %60 : tensor<8x8x32xf32>
    %cst_14 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %63 = stablehlo.multiply %62, %61 : tensor<8x8x32xf32>
    %64 = stablehlo.tanh %63 : tensor<8x8x32xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %66 = stablehlo.subtract %65, %64 : tensor<8x8x32xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %68 = stablehlo.add %67, %64 : tensor<8x8x32xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<8x8x32xf32>
    %71 = stablehlo.multiply %53, %70 : tensor<8x8x32xf32>
    %72 = stablehlo.dot_general %71, %arg8, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<32x16xf32>) -> tensor<8x8x16xf32>
    %73 = stablehlo.add %39, %72 : tensor<8x8x16xf32>
    return %73, %arg2, %10, %7, %12, %16, %14, %29, %31, %36, %33, %18, %37, %39, %50, %47, %52, %58, %64, %66, %70, %53, %71 : tensor<8x8x16xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<8x8x16xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x4xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x1xf32>, tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>, tensor<8x8x4x8xf32>, tensor<8x8x16xf32>, tensor<8x8x1xf32>, tensor<8x8x1xf32>, tensor<8x8x16xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>
  }
  func.func private @_where_3(%arg0: tensor<8x8x8x8xf32>, %arg1: tensor<8x8x8x8xi1>, %arg2: tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>
    return %0 : tensor<8x8x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x8x8x16xf32>, %arg1: tensor<8x8x16xf32>, %arg2: tensor<i32>) -> tensor<2x8x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x8x16xf32>) -> tensor<1x8x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x8x8x16xf32>, tensor<1x8x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x16xf32>
    return %1 : tensor<2x8x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<2x8x8x1xf32>, %arg1: tensor<8x8x1xf32>, %arg2: tensor<i32>) -> tensor<2x8x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x8x1xf32>) -> tensor<1x8x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x8x8x1xf32>, tensor<1x8x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x1xf32>
    return %1 : tensor<2x8x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<2x8x8x8x4xf32>, %arg1: tensor<8x8x8x4xf32>, %arg2: tensor<i32>) -> tensor<2x8x8x8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<8x8x8x4xf32>) -> tensor<1x8x8x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x8x8x8x4xf32>, tensor<1x8x8x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x8x4xf32>
    return %1 : tensor<2x8x8x8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<2x8x8x8x8xf32>, %arg1: tensor<8x8x8x8xf32>, %arg2: tensor<i32>) -> tensor<2x8x8x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<8x8x8x8xf32>) -> tensor<1x8x8x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x8x8x8x8xf32>, tensor<1x8x8x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x8x8xf32>
    return %1 : tensor<2x8x8x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<2x8x8x8x1xf32>, %arg1: tensor<8x8x8x1xf32>, %arg2: tensor<i32>) -> tensor<2x8x8x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<8x8x8x1xf32>) -> tensor<1x8x8x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x8x8x8x1xf32>, tensor<1x8x8x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x8x1xf32>
    return %1 : tensor<2x8x8x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<2x8x8x4x8xf32>, %arg1: tensor<8x8x4x8xf32>, %arg2: tensor<i32>) -> tensor<2x8x8x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<8x8x4x8xf32>) -> tensor<1x8x8x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x8x8x4x8xf32>, tensor<1x8x8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x4x8xf32>
    return %1 : tensor<2x8x8x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<2x8x8x32xf32>, %arg1: tensor<8x8x32xf32>, %arg2: tensor<i32>) -> tensor<2x8x8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x8x32xf32>) -> tensor<1x8x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x8x8x32xf32>, tensor<1x8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x8x32xf32>
    return %1 : tensor<2x8x8x32xf32>
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
  func.func private @take_along_axis_10(%arg0: tensor<8x8x1x1xi32>, %arg1: tensor<8x8x1xf32>) -> tensor<8x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x8x32xf32>, tensor<8x8x1x1xi32>, tensor<8x8x1xf32>) -> tensor<8x8x32xf32>
    return %1 : tensor<8x8x32xf32>
  }
  func.func private @log_softmax_11(%arg0: tensor<8x8x32xf32>, %arg1: tensor<8x8x1xf32>, %arg2: tensor<8x8x32xf32>) -> tensor<8x8x32xf32> {
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
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<2x8x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 8, 16] : (tensor<2x8x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8x16xf32>) -> tensor<8x8x16xf32>
    return %1 : tensor<8x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_13(%arg0: tensor<2x8x8x1xf32>, %arg1: tensor<i32>) -> tensor<8x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 8, 1] : (tensor<2x8x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8x1xf32>) -> tensor<8x8x1xf32>
    return %1 : tensor<8x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<2x8x8x8x4xf32>, %arg1: tensor<i32>) -> tensor<8x8x8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 8, 8, 8, 4] : (tensor<2x8x8x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x8x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
    return %1 : tensor<8x8x8x4xf32>
  }
  func.func private @dynamic_index_in_dim_15(%arg0: tensor<2x8x8x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8x8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 8, 8, 8, 8] : (tensor<2x8x8x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
    return %1 : tensor<8x8x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_16(%arg0: tensor<2x8x8x8x1xf32>, %arg1: tensor<i32>) -> tensor<8x8x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 8, 8, 8, 1] : (tensor<2x8x8x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8x8x1xf32>) -> tensor<8x8x8x1xf32>
    return %1 : tensor<8x8x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_17(%arg0: tensor<2x8x8x4x8xf32>, %arg1: tensor<i32>) -> tensor<8x8x4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 8, 8, 4, 8] : (tensor<2x8x8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8x4x8xf32>) -> tensor<8x8x4x8xf32>
    return %1 : tensor<8x8x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_18(%arg0: tensor<2x8x8x32xf32>, %arg1: tensor<i32>) -> tensor<8x8x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 8, 32] : (tensor<2x8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8x32xf32>) -> tensor<8x8x32xf32>
    return %1 : tensor<8x8x32xf32>
  }
  func.func private @closed_call_19(%arg0: tensor<8x8x8x8xi1>, %arg1: tensor<8x8x16xf32>, %arg2: tensor<8x8x16xf32>, %arg3: tensor<8x8x1xf32>, %arg4: tensor<8x8x1xf32>, %arg5: tensor<8x8x16xf32>, %arg6: tensor<16x8x4xf32>, %arg7: tensor<16x8x4xf32>, %arg8: tensor<16x8x4xf32>, %arg9: tensor<8x8x8x4xf32>, %arg10: tensor<8x8x8x4xf32>, %arg11: tensor<8x8x8x8xf32>, %arg12: tensor<8x8x8x1xf32>, %arg13: tensor<8x8x8x1xf32>, %arg14: tensor<8x8x8x8xf32>, %arg15: tensor<8x8x8x4xf32>, %arg16: tensor<8x4x16xf32>, %arg17: tensor<8x8x4x8xf32>, %arg18: tensor<8x8x16xf32>, %arg19: tensor<8x8x1xf32>, %arg20: tensor<8x8x1xf32>, %arg21: tensor<16x32xf32>, %arg22: tensor<8x8x16xf32>, %arg23: tensor<8x8x32xf32>, %arg24: tensor<8x8x32xf32>, %arg25: tensor<8x8x32xf32>, %arg26: tensor<8x8x32xf32>, %arg27: tensor<8x8x32xf32>, %arg28: tensor<32x16xf32>, %arg29: tensor<8x8x32xf32>) -> (tensor<8x8x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg29, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x8x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %2 = stablehlo.dot_general %arg1, %arg28, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<32x16xf32>) -> tensor<8x8x32xf32>
    %3 = stablehlo.multiply %arg27, %2 : tensor<8x8x32xf32>
    %4 = stablehlo.multiply %2, %arg26 : tensor<8x8x32xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<8x8x32xf32>
    %7 = stablehlo.multiply %6, %arg25 : tensor<8x8x32xf32>
    %8 = stablehlo.multiply %7, %arg24 : tensor<8x8x32xf32>
    %9 = stablehlo.add %7, %8 : tensor<8x8x32xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<8x8x32xf32>
    %12 = stablehlo.add %4, %11 : tensor<8x8x32xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<8x8x32xf32>
    %15 = stablehlo.multiply %14, %arg23 : tensor<8x8x32xf32>
    %16 = stablehlo.add %12, %15 : tensor<8x8x32xf32>
    %17 = stablehlo.dot_general %16, %arg22, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<8x8x16xf32>) -> tensor<32x16xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %19 = stablehlo.dot_general %16, %arg21, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x8x32xf32>, tensor<16x32xf32>) -> tensor<8x8x16xf32>
    %20 = stablehlo.multiply %arg18, %19 : tensor<8x8x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %22 = stablehlo.reshape %21 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %23 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %24 = stablehlo.multiply %19, %23 : tensor<8x8x16xf32>
    %25 = stablehlo.add %arg1, %24 : tensor<8x8x16xf32>
    %26 = stablehlo.multiply %22, %arg19 : tensor<8x8x1xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %28 = stablehlo.divide %26, %27 : tensor<8x8x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %31 = stablehlo.multiply %arg18, %30 : tensor<8x8x16xf32>
    %32 = stablehlo.add %25, %31 : tensor<8x8x16xf32>
    %33 = stablehlo.multiply %30, %arg18 : tensor<8x8x16xf32>
    %34 = stablehlo.add %32, %33 : tensor<8x8x16xf32>
    %35 = stablehlo.dot_general %34, %arg17, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x8x4x8xf32>) -> tensor<16x8x4xf32>
    %36 = stablehlo.transpose %35, dims = [1, 2, 0] : (tensor<16x8x4xf32>) -> tensor<8x4x16xf32>
    %37 = stablehlo.dot_general %34, %arg16, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x16xf32>, tensor<8x4x16xf32>) -> tensor<8x8x8x4xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 3, 1] : (tensor<8x8x8x4xf32>) -> tensor<8x8x4x8xf32>
    %39 = stablehlo.dot_general %38, %arg15, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<8x8x4x8xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x8xf32>
    %40 = stablehlo.dot_general %38, %arg14, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x4x8xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x4x8xf32>
    %41 = stablehlo.transpose %40, dims = [0, 1, 3, 2] : (tensor<8x8x4x8xf32>) -> tensor<8x8x8x4xf32>
    %42 = stablehlo.broadcast_in_dim %arg13, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %43 = stablehlo.multiply %39, %42 : tensor<8x8x8x8xf32>
    %44 = stablehlo.multiply %43, %arg11 : tensor<8x8x8x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %46 = stablehlo.reshape %45 : (tensor<8x8x8xf32>) -> tensor<8x8x8x1xf32>
    %47 = stablehlo.negate %46 : tensor<8x8x8x1xf32>
    %48 = stablehlo.broadcast_in_dim %arg12, dims = [0, 1, 2, 3] : (tensor<8x8x8x1xf32>) -> tensor<8x8x8x8xf32>
    %49 = stablehlo.divide %39, %48 : tensor<8x8x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%47 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<8x8x8x1xf32>, tensor<f32>) -> tensor<8x8x8xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<8x8x8xf32>) -> tensor<8x8x8x8xf32>
    %52 = stablehlo.add %49, %51 : tensor<8x8x8x8xf32>
    %53 = stablehlo.multiply %52, %arg11 : tensor<8x8x8x8xf32>
    %54 = call @_where_20(%arg0, %53) : (tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %56 = stablehlo.divide %54, %55 : tensor<8x8x8x8xf32>
    %57 = stablehlo.dot_general %56, %arg10, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
    %58 = stablehlo.dot_general %56, %arg9, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<8x8x8x8xf32>, tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
    %59 = stablehlo.transpose %41, dims = [1, 3, 0, 2] : (tensor<8x8x8x4xf32>) -> tensor<8x4x8x8xf32>
    %60 = stablehlo.dot_general %59, %arg8, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<16x8x4xf32>) -> tensor<8x8x16xf32>
    %61 = stablehlo.dot_general %59, %arg5, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x4x16xf32>
    %62 = stablehlo.transpose %61, dims = [2, 0, 1] : (tensor<8x4x16xf32>) -> tensor<16x8x4xf32>
    %63 = stablehlo.transpose %57, dims = [1, 3, 0, 2] : (tensor<8x8x8x4xf32>) -> tensor<8x4x8x8xf32>
    %64 = stablehlo.dot_general %63, %arg7, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<16x8x4xf32>) -> tensor<8x8x16xf32>
    %65 = stablehlo.add %60, %64 : tensor<8x8x16xf32>
    %66 = stablehlo.dot_general %63, %arg5, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x4x16xf32>
    %67 = stablehlo.transpose %66, dims = [2, 0, 1] : (tensor<8x4x16xf32>) -> tensor<16x8x4xf32>
    %68 = stablehlo.transpose %58, dims = [1, 3, 0, 2] : (tensor<8x8x8x4xf32>) -> tensor<8x4x8x8xf32>
    %69 = stablehlo.dot_general %68, %arg6, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<16x8x4xf32>) -> tensor<8x8x16xf32>
    %70 = stablehlo.add %65, %69 : tensor<8x8x16xf32>
    %71 = stablehlo.dot_general %68, %arg5, contracting_dims = [2, 3] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<8x4x8x8xf32>, tensor<8x8x16xf32>) -> tensor<8x4x16xf32>
    %72 = stablehlo.transpose %71, dims = [2, 0, 1] : (tensor<8x4x16xf32>) -> tensor<16x8x4xf32>
    %73 = stablehlo.multiply %arg2, %70 : tensor<8x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %75 = stablehlo.reshape %74 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %76 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %77 = stablehlo.multiply %70, %76 : tensor<8x8x16xf32>
    %78 = stablehlo.add %34, %77 : tensor<8x8x16xf32>
    %79 = stablehlo.multiply %75, %arg3 : tensor<8x8x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %81 = stablehlo.divide %79, %80 : tensor<8x8x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %84 = stablehlo.multiply %arg2, %83 : tensor<8x8x16xf32>
    %85 = stablehlo.add %78, %84 : tensor<8x8x16xf32>
    %86 = stablehlo.multiply %83, %arg2 : tensor<8x8x16xf32>
    %87 = stablehlo.add %85, %86 : tensor<8x8x16xf32>
    return %87, %72, %67, %62, %36, %18, %1 : tensor<8x8x16xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<16x8x4xf32>, tensor<8x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>
  }
  func.func private @_where_20(%arg0: tensor<8x8x8x8xi1>, %arg1: tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>
    return %1 : tensor<8x8x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_21(%arg0: tensor<2x16x8x4xf32>, %arg1: tensor<16x8x4xf32>, %arg2: tensor<i32>) -> tensor<2x16x8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<16x8x4xf32>) -> tensor<1x16x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x16x8x4xf32>, tensor<1x16x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x8x4xf32>
    return %1 : tensor<2x16x8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_22(%arg0: tensor<2x8x4x16xf32>, %arg1: tensor<8x4x16xf32>, %arg2: tensor<i32>) -> tensor<2x8x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x8x4x16xf32>, tensor<1x8x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x4x16xf32>
    return %1 : tensor<2x8x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_23(%arg0: tensor<2x16x32xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<i32>) -> tensor<2x16x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x32xf32>, tensor<1x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x32xf32>
    return %1 : tensor<2x16x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_24(%arg0: tensor<2x32x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<i32>) -> tensor<2x32x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x16xf32>) -> tensor<1x32x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x32x16xf32>, tensor<1x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x16xf32>
    return %1 : tensor<2x32x16xf32>
  }
}
