// A block of GPT-2 for one token after up to 15 others.
module @jit_gpt2_decode attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x32xf32>, %arg1: tensor<i32>, %arg2: tensor<4x16x8xf32>, %arg3: tensor<4x16x8xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<32x96xf32>, %arg7: tensor<96xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32xf32>, %arg10: tensor<32xf32>, %arg11: tensor<32xf32>, %arg12: tensor<32x128xf32>, %arg13: tensor<128xf32>, %arg14: tensor<128x32xf32>, %arg15: tensor<32xf32>) -> (tensor<1x32xf32> {jax.result_info = "result[0]"}, tensor<4x16x8xf32> {jax.result_info = "result[1]"}, tensor<4x16x8xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = call @_var(%arg0, %c) : (tensor<1x32xf32>, tensor<i32>) -> tensor<1x1xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %6 = stablehlo.subtract %arg0, %5 : tensor<1x32xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %8 = stablehlo.add %4, %7 : tensor<1x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<1x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %11 = stablehlo.multiply %6, %10 : tensor<1x32xf32>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<1x32xf32>
    %14 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %15 = stablehlo.add %13, %14 : tensor<1x32xf32>
    %16 = stablehlo.dot_general %15, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x96xf32>) -> tensor<1x96xf32>
    %17 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %18 = stablehlo.add %16, %17 : tensor<1x96xf32>
    %19 = stablehlo.slice %18 [0:1, 0:32] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %20 = stablehlo.slice %18 [0:1, 32:64] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %21 = stablehlo.slice %18 [0:1, 64:96] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %22 = stablehlo.reshape %19 : (tensor<1x32xf32>) -> tensor<1x4x8xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0, 2] : (tensor<1x4x8xf32>) -> tensor<4x1x8xf32>
    %24 = stablehlo.reshape %20 : (tensor<1x32xf32>) -> tensor<1x4x8xf32>
    %25 = stablehlo.transpose %24, dims = [1, 0, 2] : (tensor<1x4x8xf32>) -> tensor<4x1x8xf32>
    %26 = stablehlo.reshape %21 : (tensor<1x32xf32>) -> tensor<1x4x8xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0, 2] : (tensor<1x4x8xf32>) -> tensor<4x1x8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<16> : tensor<i32>
    %29 = stablehlo.add %arg1, %c_3 : tensor<i32>
    %30 = stablehlo.select %28, %29, %arg1 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.dynamic_update_slice %arg2, %25, %c_4, %30, %c_5 : (tensor<4x16x8xf32>, tensor<4x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x8xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.compare LT, %arg1, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<16> : tensor<i32>
    %33 = stablehlo.add %arg1, %c_7 : tensor<i32>
    %34 = stablehlo.select %32, %33, %arg1 : tensor<i1>, tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.dynamic_update_slice %arg3, %27, %c_8, %34, %c_9 : (tensor<4x16x8xf32>, tensor<4x1x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x8xf32>
    %36 = stablehlo.iota dim = 0 : tensor<16xi32>
    %37 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %38 = stablehlo.compare LE, %36, %37, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %39 = stablehlo.dot_general %23, %31, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x8xf32>, tensor<4x16x8xf32>) -> tensor<4x1x16xf32>
    %cst_10 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x1x16xf32>
    %41 = stablehlo.divide %39, %40 : tensor<4x1x16xf32>
    %cst_11 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %42 = call @_where_0(%38, %41, %cst_11) : (tensor<16xi1>, tensor<4x1x16xf32>, tensor<f32>) -> tensor<4x1x16xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_12) applies stablehlo.maximum across dimensions = [2] : (tensor<4x1x16xf32>, tensor<f32>) -> tensor<4x1xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %45 = stablehlo.maximum %44, %43 : tensor<4x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<4x1x1xf32>) -> tensor<4x1x16xf32>
    %48 = stablehlo.subtract %42, %47 : tensor<4x1x16xf32>
    %49 = stablehlo.exponential %48 : tensor<4x1x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<4x1x16xf32>, tensor<f32>) -> tensor<4x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<4x1x1xf32>) -> tensor<4x1x16xf32>
    %53 = stablehlo.divide %49, %52 : tensor<4x1x16xf32>
    %54 = stablehlo.dot_general %53, %35, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x16xf32>, tensor<4x16x8xf32>) -> tensor<4x1x8xf32>
    %55 = stablehlo.transpose %54, dims = [1, 0, 2] : (tensor<4x1x8xf32>) -> tensor<1x4x8xf32>
    %56 = stablehlo.reshape %55 : (tensor<1x4x8xf32>) -> tensor<1x32xf32>
    %57 = stablehlo.dot_general %56, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
    %58 = stablehlo.add %arg0, %57 : tensor<1x32xf32>
    %59 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %60 = stablehlo.add %58, %59 : tensor<1x32xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %cst_16 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %64 = stablehlo.divide %62, %63 : tensor<1x1xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %65 = call @_var(%60, %c_17) : (tensor<1x32xf32>, tensor<i32>) -> tensor<1x1xf32>
    %66 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %67 = stablehlo.subtract %60, %66 : tensor<1x32xf32>
    %cst_18 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %69 = stablehlo.add %65, %68 : tensor<1x1xf32>
    %70 = stablehlo.rsqrt %69 : tensor<1x1xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %72 = stablehlo.multiply %67, %71 : tensor<1x32xf32>
    %73 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %74 = stablehlo.multiply %72, %73 : tensor<1x32xf32>
    %75 = stablehlo.broadcast_in_dim %arg11, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %76 = stablehlo.add %74, %75 : tensor<1x32xf32>
    %77 = stablehlo.dot_general %76, %arg12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x128xf32>) -> tensor<1x128xf32>
    %78 = stablehlo.broadcast_in_dim %arg13, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %79 = stablehlo.add %77, %78 : tensor<1x128xf32>
    %80 = stablehlo.multiply %79, %79 : tensor<1x128xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<1x128xf32>
    %cst_19 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x128xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<1x128xf32>
    %84 = stablehlo.add %79, %83 : tensor<1x128xf32>
    %cst_20 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x128xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<1x128xf32>
    %87 = stablehlo.tanh %86 : tensor<1x128xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x128xf32>
    %89 = stablehlo.add %88, %87 : tensor<1x128xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1x128xf32>
    %91 = stablehlo.multiply %90, %89 : tensor<1x128xf32>
    %92 = stablehlo.multiply %79, %91 : tensor<1x128xf32>
    %93 = stablehlo.dot_general %92, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x128xf32>, tensor<128x32xf32>) -> tensor<1x32xf32>
    %94 = stablehlo.add %60, %93 : tensor<1x32xf32>
    %95 = stablehlo.broadcast_in_dim %arg15, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %96 = stablehlo.add %94, %95 : tensor<1x32xf32>
    return %96, %31, %35 : tensor<1x32xf32>, tensor<4x16x8xf32>, tensor<4x16x8xf32>
  }
  func.func private @_var(%arg0: tensor<1x32xf32>, %arg1: tensor<i32>) -> tensor<1x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1x32xf32>
    %6 = chlo.square %5 : tensor<1x32xf32> -> tensor<1x32xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<1x32xf32>, tensor<f32>) -> tensor<1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<1x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
    return %14 : tensor<1x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<1x1xf32>, %arg2: tensor<f32>) -> tensor<1x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<1x1xf32>
    return %2 : tensor<1x1xf32>
  }
  func.func private @_where_0(%arg0: tensor<16xi1>, %arg1: tensor<4x1x16xf32>, %arg2: tensor<f32>) -> tensor<4x1x16xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xi1>) -> tensor<4x1x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x1x16xi1>, tensor<4x1x16xf32>
    return %3 : tensor<4x1x16xf32>
  }
}
