module @jit_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<2x32xf32>, %arg2: tensor<32x96xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x128xf32>, %arg5: tensor<128x32xf32>) -> (tensor<16x32xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg1 [0:1, 0:32] : (tensor<2x32xf32>) -> tensor<1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32xf32>) -> tensor<32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<16x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<16x32xf32>
    %8 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<16x32xf32>
    %11 = stablehlo.multiply %7, %7 : tensor<16x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %15 = stablehlo.divide %13, %14 : tensor<16x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %17 = stablehlo.add %15, %16 : tensor<16x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<16x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %20 = stablehlo.multiply %10, %19 : tensor<16x32xf32>
    %21 = stablehlo.dot_general %20, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x96xf32>) -> tensor<16x96xf32>
    %22 = stablehlo.slice %21 [0:16, 0:32] : (tensor<16x96xf32>) -> tensor<16x32xf32>
    %23 = stablehlo.slice %21 [0:16, 32:64] : (tensor<16x96xf32>) -> tensor<16x32xf32>
    %24 = stablehlo.slice %21 [0:16, 64:96] : (tensor<16x96xf32>) -> tensor<16x32xf32>
    %25 = stablehlo.reshape %22 : (tensor<16x32xf32>) -> tensor<16x4x8xf32>
    %26 = stablehlo.transpose %25, dims = [1, 0, 2] : (tensor<16x4x8xf32>) -> tensor<4x16x8xf32>
    %27 = stablehlo.reshape %23 : (tensor<16x32xf32>) -> tensor<16x4x8xf32>
    %28 = stablehlo.transpose %27, dims = [1, 0, 2] : (tensor<16x4x8xf32>) -> tensor<4x16x8xf32>
    %29 = stablehlo.reshape %24 : (tensor<16x32xf32>) -> tensor<16x4x8xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0, 2] : (tensor<16x4x8xf32>) -> tensor<4x16x8xf32>
    %31 = stablehlo.transpose %28, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %32 = stablehlo.dot_general %26, %31, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x8xf32>, tensor<4x8x16xf32>) -> tensor<4x16x16xf32>
    %cst_4 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %34 = stablehlo.divide %32, %33 : tensor<4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %35 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %36 = call @tril(%35) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_5 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %37 = call @_where(%36, %34, %cst_5) : (tensor<16x16xi1>, tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %40 = stablehlo.maximum %39, %38 : tensor<4x16xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %43 = stablehlo.subtract %37, %42 : tensor<4x16x16xf32>
    %44 = stablehlo.exponential %43 : tensor<4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x16xf32>
    %48 = stablehlo.divide %44, %47 : tensor<4x16x16xf32>
    %49 = stablehlo.dot_general %48, %30, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %50 = stablehlo.transpose %49, dims = [1, 0, 2] : (tensor<4x16x8xf32>) -> tensor<16x4x8xf32>
    %51 = stablehlo.reshape %50 : (tensor<16x4x8xf32>) -> tensor<16x32xf32>
    %52 = stablehlo.dot_general %51, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %53 = stablehlo.add %arg0, %52 : tensor<16x32xf32>
    %54 = stablehlo.slice %arg1 [1:2, 0:32] : (tensor<2x32xf32>) -> tensor<1x32xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x32xf32>) -> tensor<32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%53 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_10 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %59 = stablehlo.divide %57, %58 : tensor<16x1xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %61 = stablehlo.subtract %53, %60 : tensor<16x32xf32>
    %62 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %64 = stablehlo.multiply %63, %61 : tensor<16x32xf32>
    %65 = stablehlo.multiply %61, %61 : tensor<16x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_12 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %69 = stablehlo.divide %67, %68 : tensor<16x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %71 = stablehlo.add %69, %70 : tensor<16x1xf32>
    %72 = stablehlo.rsqrt %71 : tensor<16x1xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %74 = stablehlo.multiply %64, %73 : tensor<16x32xf32>
    %75 = stablehlo.dot_general %74, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x128xf32>) -> tensor<16x128xf32>
    %76 = stablehlo.multiply %75, %75 : tensor<16x128xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<16x128xf32>
    %cst_14 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<16x128xf32>
    %80 = stablehlo.add %75, %79 : tensor<16x128xf32>
    %cst_15 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<16x128xf32>
    %83 = stablehlo.tanh %82 : tensor<16x128xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %85 = stablehlo.add %84, %83 : tensor<16x128xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x128xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<16x128xf32>
    %88 = stablehlo.multiply %75, %87 : tensor<16x128xf32>
    %89 = stablehlo.dot_general %88, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x128xf32>, tensor<128x32xf32>) -> tensor<16x32xf32>
    %90 = stablehlo.add %53, %89 : tensor<16x32xf32>
    return %90 : tensor<16x32xf32>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<4x16x16xf32>, %arg2: tensor<f32>) -> tensor<4x16x16xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<16x16xi1>) -> tensor<4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x16x16xi1>, tensor<4x16x16xf32>
    return %3 : tensor<4x16x16xf32>
  }
}
