module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=4]> {stablehlo.mesh = {axes = [{name = "d", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg1: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg3: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg4: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg5: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg6: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg7: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg8: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg9: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg10: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg11: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg12: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg13: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg14: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg15: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg16: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, %arg17: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg18: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg19: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg20: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<16x32xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<32xf32> {jax.result_info = "result[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, tensor<32x16xf32> {jax.result_info = "result[0][2]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[0][3]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<32xf32> {jax.result_info = "result[0][4]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, tensor<32x16xf32> {jax.result_info = "result[0][5]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<32xf32> {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, tensor<32x16xf32> {jax.result_info = "result[1][2]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[1][3]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<32xf32> {jax.result_info = "result[1][4]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, tensor<32x16xf32> {jax.result_info = "result[1][5]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[2][0]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<32xf32> {jax.result_info = "result[2][1]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, tensor<32x16xf32> {jax.result_info = "result[2][2]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[2][3]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<32xf32> {jax.result_info = "result[2][4]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}]>}, tensor<32x16xf32> {jax.result_info = "result[2][5]", sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<f32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<f32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg19, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<64x32xf32>
    %3 = stablehlo.add %0, %2 : tensor<64x32xf32>
    %4 = stablehlo.tanh %3 : tensor<64x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<64x32xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %8 = stablehlo.add %arg19, %7 : tensor<64x16xf32>
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
    %18 = stablehlo.subtract %17, %arg20 : tensor<64x16xf32>
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
    %49 = stablehlo.dot_general %45, %arg19, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<64x32xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
    %50 = stablehlo.transpose %49, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.add %arg18, %cst_10 : tensor<f32>
    %cst_11 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %53 = stablehlo.multiply %52, %arg6 : tensor<16x32xf32>
    %cst_12 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %55 = stablehlo.multiply %54, %50 : tensor<16x32xf32>
    %56 = stablehlo.add %53, %55 : tensor<16x32xf32>
    %cst_13 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %58 = stablehlo.multiply %57, %arg7 : tensor<32xf32>
    %cst_14 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %60 = stablehlo.multiply %59, %48 : tensor<32xf32>
    %61 = stablehlo.add %58, %60 : tensor<32xf32>
    %cst_15 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %63 = stablehlo.multiply %62, %arg8 : tensor<32x16xf32>
    %cst_16 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %65 = stablehlo.multiply %64, %41 : tensor<32x16xf32>
    %66 = stablehlo.add %63, %65 : tensor<32x16xf32>
    %cst_17 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %68 = stablehlo.multiply %67, %arg9 : tensor<16x32xf32>
    %cst_18 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %70 = stablehlo.multiply %69, %37 : tensor<16x32xf32>
    %71 = stablehlo.add %68, %70 : tensor<16x32xf32>
    %cst_19 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %73 = stablehlo.multiply %72, %arg10 : tensor<32xf32>
    %cst_20 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %75 = stablehlo.multiply %74, %35 : tensor<32xf32>
    %76 = stablehlo.add %73, %75 : tensor<32xf32>
    %cst_21 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %78 = stablehlo.multiply %77, %arg11 : tensor<32x16xf32>
    %cst_22 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %80 = stablehlo.multiply %79, %28 : tensor<32x16xf32>
    %81 = stablehlo.add %78, %80 : tensor<32x16xf32>
    %cst_23 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %83 = stablehlo.multiply %82, %arg12 : tensor<16x32xf32>
    %cst_24 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %85 = stablehlo.multiply %84, %50 : tensor<16x32xf32>
    %86 = stablehlo.multiply %85, %50 : tensor<16x32xf32>
    %87 = stablehlo.add %83, %86 : tensor<16x32xf32>
    %cst_25 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %89 = stablehlo.multiply %88, %arg13 : tensor<32xf32>
    %cst_26 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %91 = stablehlo.multiply %90, %48 : tensor<32xf32>
    %92 = stablehlo.multiply %91, %48 : tensor<32xf32>
    %93 = stablehlo.add %89, %92 : tensor<32xf32>
    %cst_27 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %95 = stablehlo.multiply %94, %arg14 : tensor<32x16xf32>
    %cst_28 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %97 = stablehlo.multiply %96, %41 : tensor<32x16xf32>
    %98 = stablehlo.multiply %97, %41 : tensor<32x16xf32>
    %99 = stablehlo.add %95, %98 : tensor<32x16xf32>
    %cst_29 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %101 = stablehlo.multiply %100, %arg15 : tensor<16x32xf32>
    %cst_30 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %103 = stablehlo.multiply %102, %37 : tensor<16x32xf32>
    %104 = stablehlo.multiply %103, %37 : tensor<16x32xf32>
    %105 = stablehlo.add %101, %104 : tensor<16x32xf32>
    %cst_31 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %107 = stablehlo.multiply %106, %arg16 : tensor<32xf32>
    %cst_32 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %109 = stablehlo.multiply %108, %35 : tensor<32xf32>
    %110 = stablehlo.multiply %109, %35 : tensor<32xf32>
    %111 = stablehlo.add %107, %110 : tensor<32xf32>
    %cst_33 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %113 = stablehlo.multiply %112, %arg17 : tensor<32x16xf32>
    %cst_34 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %115 = stablehlo.multiply %114, %28 : tensor<32x16xf32>
    %116 = stablehlo.multiply %115, %28 : tensor<32x16xf32>
    %117 = stablehlo.add %113, %116 : tensor<32x16xf32>
    %cst_35 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %118 = stablehlo.power %cst_35, %51 : tensor<f32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %119 = stablehlo.subtract %cst_36, %118 : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %121 = stablehlo.divide %56, %120 : tensor<16x32xf32>
    %cst_37 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %122 = stablehlo.power %cst_37, %51 : tensor<f32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %123 = stablehlo.subtract %cst_38, %122 : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %125 = stablehlo.divide %87, %124 : tensor<16x32xf32>
    %126 = stablehlo.sqrt %125 : tensor<16x32xf32>
    %cst_39 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %128 = stablehlo.add %126, %127 : tensor<16x32xf32>
    %129 = stablehlo.divide %121, %128 : tensor<16x32xf32>
    %cst_40 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %131 = stablehlo.multiply %130, %129 : tensor<16x32xf32>
    %132 = stablehlo.subtract %arg0, %131 : tensor<16x32xf32>
    %cst_41 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %133 = stablehlo.power %cst_41, %51 : tensor<f32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.subtract %cst_42, %133 : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %136 = stablehlo.divide %61, %135 : tensor<32xf32>
    %cst_43 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %137 = stablehlo.power %cst_43, %51 : tensor<f32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %138 = stablehlo.subtract %cst_44, %137 : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %140 = stablehlo.divide %93, %139 : tensor<32xf32>
    %141 = stablehlo.sqrt %140 : tensor<32xf32>
    %cst_45 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %143 = stablehlo.add %141, %142 : tensor<32xf32>
    %144 = stablehlo.divide %136, %143 : tensor<32xf32>
    %cst_46 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %146 = stablehlo.multiply %145, %144 : tensor<32xf32>
    %147 = stablehlo.subtract %arg1, %146 : tensor<32xf32>
    %cst_47 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %148 = stablehlo.power %cst_47, %51 : tensor<f32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %149 = stablehlo.subtract %cst_48, %148 : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %151 = stablehlo.divide %66, %150 : tensor<32x16xf32>
    %cst_49 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %152 = stablehlo.power %cst_49, %51 : tensor<f32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.subtract %cst_50, %152 : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %155 = stablehlo.divide %99, %154 : tensor<32x16xf32>
    %156 = stablehlo.sqrt %155 : tensor<32x16xf32>
    %cst_51 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %158 = stablehlo.add %156, %157 : tensor<32x16xf32>
    %159 = stablehlo.divide %151, %158 : tensor<32x16xf32>
    %cst_52 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %161 = stablehlo.multiply %160, %159 : tensor<32x16xf32>
    %162 = stablehlo.subtract %arg2, %161 : tensor<32x16xf32>
    %cst_53 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %163 = stablehlo.power %cst_53, %51 : tensor<f32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.subtract %cst_54, %163 : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %166 = stablehlo.divide %71, %165 : tensor<16x32xf32>
    %cst_55 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %167 = stablehlo.power %cst_55, %51 : tensor<f32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %168 = stablehlo.subtract %cst_56, %167 : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %168, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %170 = stablehlo.divide %105, %169 : tensor<16x32xf32>
    %171 = stablehlo.sqrt %170 : tensor<16x32xf32>
    %cst_57 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %173 = stablehlo.add %171, %172 : tensor<16x32xf32>
    %174 = stablehlo.divide %166, %173 : tensor<16x32xf32>
    %cst_58 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<16x32xf32>
    %177 = stablehlo.subtract %arg3, %176 : tensor<16x32xf32>
    %cst_59 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %178 = stablehlo.power %cst_59, %51 : tensor<f32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %179 = stablehlo.subtract %cst_60, %178 : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %181 = stablehlo.divide %76, %180 : tensor<32xf32>
    %cst_61 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %182 = stablehlo.power %cst_61, %51 : tensor<f32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.subtract %cst_62, %182 : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %185 = stablehlo.divide %111, %184 : tensor<32xf32>
    %186 = stablehlo.sqrt %185 : tensor<32xf32>
    %cst_63 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %188 = stablehlo.add %186, %187 : tensor<32xf32>
    %189 = stablehlo.divide %181, %188 : tensor<32xf32>
    %cst_64 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %191 = stablehlo.multiply %190, %189 : tensor<32xf32>
    %192 = stablehlo.subtract %arg4, %191 : tensor<32xf32>
    %cst_65 = stablehlo.constant dense<8.750000e-01> : tensor<f32>
    %193 = stablehlo.power %cst_65, %51 : tensor<f32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %194 = stablehlo.subtract %cst_66, %193 : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %196 = stablehlo.divide %81, %195 : tensor<32x16xf32>
    %cst_67 = stablehlo.constant dense<9.687500e-01> : tensor<f32>
    %197 = stablehlo.power %cst_67, %51 : tensor<f32>
    %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %198 = stablehlo.subtract %cst_68, %197 : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %200 = stablehlo.divide %117, %199 : tensor<32x16xf32>
    %201 = stablehlo.sqrt %200 : tensor<32x16xf32>
    %cst_69 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %203 = stablehlo.add %201, %202 : tensor<32x16xf32>
    %204 = stablehlo.divide %196, %203 : tensor<32x16xf32>
    %cst_70 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %206 = stablehlo.multiply %205, %204 : tensor<32x16xf32>
    %207 = stablehlo.subtract %arg5, %206 : tensor<32x16xf32>
    return %132, %147, %162, %177, %192, %207, %56, %61, %66, %71, %76, %81, %87, %93, %99, %105, %111, %117, %51, %23 : tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x16xf32>, tensor<f32>, tensor<f32>
  }
}
