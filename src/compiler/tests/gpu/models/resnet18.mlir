// A network with the layers of ResNet-18 and few channels.
module @jit_resnet attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x16x16x3xf32>, %arg1: tensor<7x7x3x4xf32>, %arg2: tensor<3x3x4x4xf32>, %arg3: tensor<3x3x4x4xf32>, %arg4: tensor<3x3x4x4xf32>, %arg5: tensor<3x3x4x4xf32>, %arg6: tensor<3x3x4x8xf32>, %arg7: tensor<3x3x8x8xf32>, %arg8: tensor<1x1x4x8xf32>, %arg9: tensor<3x3x8x8xf32>, %arg10: tensor<3x3x8x8xf32>, %arg11: tensor<3x3x8x12xf32>, %arg12: tensor<3x3x12x12xf32>, %arg13: tensor<1x1x8x12xf32>, %arg14: tensor<3x3x12x12xf32>, %arg15: tensor<3x3x12x12xf32>, %arg16: tensor<3x3x12x16xf32>, %arg17: tensor<3x3x16x16xf32>, %arg18: tensor<1x1x12x16xf32>, %arg19: tensor<3x3x16x16xf32>, %arg20: tensor<3x3x16x16xf32>, %arg21: tensor<4xf32>, %arg22: tensor<4xf32>, %arg23: tensor<4xf32>, %arg24: tensor<4xf32>, %arg25: tensor<4xf32>, %arg26: tensor<4xf32>, %arg27: tensor<4xf32>, %arg28: tensor<4xf32>, %arg29: tensor<4xf32>, %arg30: tensor<4xf32>, %arg31: tensor<4xf32>, %arg32: tensor<4xf32>, %arg33: tensor<4xf32>, %arg34: tensor<4xf32>, %arg35: tensor<4xf32>, %arg36: tensor<8xf32>, %arg37: tensor<8xf32>, %arg38: tensor<8xf32>, %arg39: tensor<8xf32>, %arg40: tensor<8xf32>, %arg41: tensor<8xf32>, %arg42: tensor<8xf32>, %arg43: tensor<8xf32>, %arg44: tensor<8xf32>, %arg45: tensor<8xf32>, %arg46: tensor<8xf32>, %arg47: tensor<8xf32>, %arg48: tensor<8xf32>, %arg49: tensor<8xf32>, %arg50: tensor<8xf32>, %arg51: tensor<12xf32>, %arg52: tensor<12xf32>, %arg53: tensor<12xf32>, %arg54: tensor<12xf32>, %arg55: tensor<12xf32>, %arg56: tensor<12xf32>, %arg57: tensor<12xf32>, %arg58: tensor<12xf32>, %arg59: tensor<12xf32>, %arg60: tensor<12xf32>, %arg61: tensor<12xf32>, %arg62: tensor<12xf32>, %arg63: tensor<12xf32>, %arg64: tensor<12xf32>, %arg65: tensor<12xf32>, %arg66: tensor<16xf32>, %arg67: tensor<16xf32>, %arg68: tensor<16xf32>, %arg69: tensor<16xf32>, %arg70: tensor<16xf32>, %arg71: tensor<16xf32>, %arg72: tensor<16xf32>, %arg73: tensor<16xf32>, %arg74: tensor<16xf32>, %arg75: tensor<16xf32>, %arg76: tensor<16xf32>, %arg77: tensor<16xf32>, %arg78: tensor<16xf32>, %arg79: tensor<16xf32>, %arg80: tensor<16xf32>, %arg81: tensor<4xf32>, %arg82: tensor<4xf32>, %arg83: tensor<4xf32>, %arg84: tensor<4xf32>, %arg85: tensor<4xf32>, %arg86: tensor<8xf32>, %arg87: tensor<8xf32>, %arg88: tensor<8xf32>, %arg89: tensor<8xf32>, %arg90: tensor<8xf32>, %arg91: tensor<12xf32>, %arg92: tensor<12xf32>, %arg93: tensor<12xf32>, %arg94: tensor<12xf32>, %arg95: tensor<12xf32>, %arg96: tensor<16xf32>, %arg97: tensor<16xf32>, %arg98: tensor<16xf32>, %arg99: tensor<16xf32>, %arg100: tensor<16xf32>, %arg101: tensor<16x10xf32>, %arg102: tensor<10xf32>) -> (tensor<1x10xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[2, 3], [2, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x16x3xf32>, tensor<7x7x3x4xf32>) -> tensor<1x8x8x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg23, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %3 = stablehlo.subtract %0, %2 : tensor<1x8x8x4xf32>
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.add %arg81, %4 : tensor<4xf32>
    %6 = stablehlo.rsqrt %5 : tensor<4xf32>
    %7 = stablehlo.multiply %arg21, %6 : tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %10 = stablehlo.multiply %3, %9 : tensor<1x8x8x4xf32>
    %11 = stablehlo.broadcast_in_dim %arg22, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %13 = stablehlo.add %10, %12 : tensor<1x8x8x4xf32>
    %14 = call @relu(%13) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.reduce_window"(%14, %15) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg103: tensor<f32>, %arg104: tensor<f32>):
      %283 = stablehlo.maximum %arg103, %arg104 : tensor<f32>
      stablehlo.return %283 : tensor<f32>
    }) : (tensor<1x8x8x4xf32>, tensor<f32>) -> tensor<1x4x4x4xf32>
    %17 = stablehlo.convolution(%16, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x4x4x4xf32>
    %18 = stablehlo.broadcast_in_dim %arg26, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %20 = stablehlo.subtract %17, %19 : tensor<1x4x4x4xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %22 = stablehlo.add %arg82, %21 : tensor<4xf32>
    %23 = stablehlo.rsqrt %22 : tensor<4xf32>
    %24 = stablehlo.multiply %arg24, %23 : tensor<4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %27 = stablehlo.multiply %20, %26 : tensor<1x4x4x4xf32>
    %28 = stablehlo.broadcast_in_dim %arg25, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %30 = stablehlo.add %27, %29 : tensor<1x4x4x4xf32>
    %31 = call @relu_0(%30) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %32 = stablehlo.convolution(%31, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x4x4x4xf32>
    %33 = stablehlo.broadcast_in_dim %arg29, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %35 = stablehlo.subtract %32, %34 : tensor<1x4x4x4xf32>
    %cst_2 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %37 = stablehlo.add %arg83, %36 : tensor<4xf32>
    %38 = stablehlo.rsqrt %37 : tensor<4xf32>
    %39 = stablehlo.multiply %arg27, %38 : tensor<4xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %42 = stablehlo.multiply %35, %41 : tensor<1x4x4x4xf32>
    %43 = stablehlo.broadcast_in_dim %arg28, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %45 = stablehlo.add %42, %44 : tensor<1x4x4x4xf32>
    %46 = stablehlo.add %16, %45 : tensor<1x4x4x4xf32>
    %47 = call @relu_0(%46) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %48 = stablehlo.convolution(%47, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x4x4x4xf32>
    %49 = stablehlo.broadcast_in_dim %arg32, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %51 = stablehlo.subtract %48, %50 : tensor<1x4x4x4xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %53 = stablehlo.add %arg84, %52 : tensor<4xf32>
    %54 = stablehlo.rsqrt %53 : tensor<4xf32>
    %55 = stablehlo.multiply %arg30, %54 : tensor<4xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %58 = stablehlo.multiply %51, %57 : tensor<1x4x4x4xf32>
    %59 = stablehlo.broadcast_in_dim %arg31, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %61 = stablehlo.add %58, %60 : tensor<1x4x4x4xf32>
    %62 = call @relu_0(%61) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %63 = stablehlo.convolution(%62, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x4x4x4xf32>
    %64 = stablehlo.broadcast_in_dim %arg35, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %66 = stablehlo.subtract %63, %65 : tensor<1x4x4x4xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %68 = stablehlo.add %arg85, %67 : tensor<4xf32>
    %69 = stablehlo.rsqrt %68 : tensor<4xf32>
    %70 = stablehlo.multiply %arg33, %69 : tensor<4xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %73 = stablehlo.multiply %66, %72 : tensor<1x4x4x4xf32>
    %74 = stablehlo.broadcast_in_dim %arg34, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x4x4x4xf32>
    %76 = stablehlo.add %73, %75 : tensor<1x4x4x4xf32>
    %77 = stablehlo.add %47, %76 : tensor<1x4x4x4xf32>
    %78 = call @relu_0(%77) : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %79 = stablehlo.convolution(%78, %arg6) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x2x2x8xf32>
    %80 = stablehlo.broadcast_in_dim %arg38, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %82 = stablehlo.subtract %79, %81 : tensor<1x2x2x8xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %84 = stablehlo.add %arg86, %83 : tensor<8xf32>
    %85 = stablehlo.rsqrt %84 : tensor<8xf32>
    %86 = stablehlo.multiply %arg36, %85 : tensor<8xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %89 = stablehlo.multiply %82, %88 : tensor<1x2x2x8xf32>
    %90 = stablehlo.broadcast_in_dim %arg37, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %92 = stablehlo.add %89, %91 : tensor<1x2x2x8xf32>
    %93 = call @relu_1(%92) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %94 = stablehlo.convolution(%93, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x2x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x2x2x8xf32>
    %95 = stablehlo.broadcast_in_dim %arg41, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %97 = stablehlo.subtract %94, %96 : tensor<1x2x2x8xf32>
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %99 = stablehlo.add %arg87, %98 : tensor<8xf32>
    %100 = stablehlo.rsqrt %99 : tensor<8xf32>
    %101 = stablehlo.multiply %arg39, %100 : tensor<8xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %104 = stablehlo.multiply %97, %103 : tensor<1x2x2x8xf32>
    %105 = stablehlo.broadcast_in_dim %arg40, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %107 = stablehlo.add %104, %106 : tensor<1x2x2x8xf32>
    %108 = stablehlo.convolution(%78, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x4xf32>, tensor<1x1x4x8xf32>) -> tensor<1x2x2x8xf32>
    %109 = stablehlo.broadcast_in_dim %arg44, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %111 = stablehlo.subtract %108, %110 : tensor<1x2x2x8xf32>
    %cst_7 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %113 = stablehlo.add %arg88, %112 : tensor<8xf32>
    %114 = stablehlo.rsqrt %113 : tensor<8xf32>
    %115 = stablehlo.multiply %arg42, %114 : tensor<8xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %118 = stablehlo.multiply %111, %117 : tensor<1x2x2x8xf32>
    %119 = stablehlo.broadcast_in_dim %arg43, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %121 = stablehlo.add %118, %120 : tensor<1x2x2x8xf32>
    %122 = stablehlo.add %121, %107 : tensor<1x2x2x8xf32>
    %123 = call @relu_1(%122) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %124 = stablehlo.convolution(%123, %arg9) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x2x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x2x2x8xf32>
    %125 = stablehlo.broadcast_in_dim %arg47, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %127 = stablehlo.subtract %124, %126 : tensor<1x2x2x8xf32>
    %cst_8 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %129 = stablehlo.add %arg89, %128 : tensor<8xf32>
    %130 = stablehlo.rsqrt %129 : tensor<8xf32>
    %131 = stablehlo.multiply %arg45, %130 : tensor<8xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %134 = stablehlo.multiply %127, %133 : tensor<1x2x2x8xf32>
    %135 = stablehlo.broadcast_in_dim %arg46, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %137 = stablehlo.add %134, %136 : tensor<1x2x2x8xf32>
    %138 = call @relu_1(%137) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %139 = stablehlo.convolution(%138, %arg10) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x2x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x2x2x8xf32>
    %140 = stablehlo.broadcast_in_dim %arg50, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %142 = stablehlo.subtract %139, %141 : tensor<1x2x2x8xf32>
    %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %144 = stablehlo.add %arg90, %143 : tensor<8xf32>
    %145 = stablehlo.rsqrt %144 : tensor<8xf32>
    %146 = stablehlo.multiply %arg48, %145 : tensor<8xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %149 = stablehlo.multiply %142, %148 : tensor<1x2x2x8xf32>
    %150 = stablehlo.broadcast_in_dim %arg49, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<1x2x2x8xf32>
    %152 = stablehlo.add %149, %151 : tensor<1x2x2x8xf32>
    %153 = stablehlo.add %123, %152 : tensor<1x2x2x8xf32>
    %154 = call @relu_1(%153) : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32>
    %155 = stablehlo.convolution(%154, %arg11) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x2x8xf32>, tensor<3x3x8x12xf32>) -> tensor<1x1x1x12xf32>
    %156 = stablehlo.broadcast_in_dim %arg53, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %157 = stablehlo.subtract %155, %156 : tensor<1x1x1x12xf32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %159 = stablehlo.add %arg91, %158 : tensor<12xf32>
    %160 = stablehlo.rsqrt %159 : tensor<12xf32>
    %161 = stablehlo.multiply %arg51, %160 : tensor<12xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %163 = stablehlo.multiply %157, %162 : tensor<1x1x1x12xf32>
    %164 = stablehlo.broadcast_in_dim %arg52, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %165 = stablehlo.add %163, %164 : tensor<1x1x1x12xf32>
    %166 = call @relu_2(%165) : (tensor<1x1x1x12xf32>) -> tensor<1x1x1x12xf32>
    %167 = stablehlo.convolution(%166, %arg12) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x12xf32>, tensor<3x3x12x12xf32>) -> tensor<1x1x1x12xf32>
    %168 = stablehlo.broadcast_in_dim %arg56, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %169 = stablehlo.subtract %167, %168 : tensor<1x1x1x12xf32>
    %cst_11 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %171 = stablehlo.add %arg92, %170 : tensor<12xf32>
    %172 = stablehlo.rsqrt %171 : tensor<12xf32>
    %173 = stablehlo.multiply %arg54, %172 : tensor<12xf32>
    %174 = stablehlo.broadcast_in_dim %173, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %175 = stablehlo.multiply %169, %174 : tensor<1x1x1x12xf32>
    %176 = stablehlo.broadcast_in_dim %arg55, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %177 = stablehlo.add %175, %176 : tensor<1x1x1x12xf32>
    %178 = stablehlo.convolution(%154, %arg13) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x2x8xf32>, tensor<1x1x8x12xf32>) -> tensor<1x1x1x12xf32>
    %179 = stablehlo.broadcast_in_dim %arg59, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %180 = stablehlo.subtract %178, %179 : tensor<1x1x1x12xf32>
    %cst_12 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %182 = stablehlo.add %arg93, %181 : tensor<12xf32>
    %183 = stablehlo.rsqrt %182 : tensor<12xf32>
    %184 = stablehlo.multiply %arg57, %183 : tensor<12xf32>
    %185 = stablehlo.broadcast_in_dim %184, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %186 = stablehlo.multiply %180, %185 : tensor<1x1x1x12xf32>
    %187 = stablehlo.broadcast_in_dim %arg58, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %188 = stablehlo.add %186, %187 : tensor<1x1x1x12xf32>
    %189 = stablehlo.add %188, %177 : tensor<1x1x1x12xf32>
    %190 = call @relu_2(%189) : (tensor<1x1x1x12xf32>) -> tensor<1x1x1x12xf32>
    %191 = stablehlo.convolution(%190, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x12xf32>, tensor<3x3x12x12xf32>) -> tensor<1x1x1x12xf32>
    %192 = stablehlo.broadcast_in_dim %arg62, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %193 = stablehlo.subtract %191, %192 : tensor<1x1x1x12xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %195 = stablehlo.add %arg94, %194 : tensor<12xf32>
    %196 = stablehlo.rsqrt %195 : tensor<12xf32>
    %197 = stablehlo.multiply %arg60, %196 : tensor<12xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %199 = stablehlo.multiply %193, %198 : tensor<1x1x1x12xf32>
    %200 = stablehlo.broadcast_in_dim %arg61, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %201 = stablehlo.add %199, %200 : tensor<1x1x1x12xf32>
    %202 = call @relu_2(%201) : (tensor<1x1x1x12xf32>) -> tensor<1x1x1x12xf32>
    %203 = stablehlo.convolution(%202, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x12xf32>, tensor<3x3x12x12xf32>) -> tensor<1x1x1x12xf32>
    %204 = stablehlo.broadcast_in_dim %arg65, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %205 = stablehlo.subtract %203, %204 : tensor<1x1x1x12xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %207 = stablehlo.add %arg95, %206 : tensor<12xf32>
    %208 = stablehlo.rsqrt %207 : tensor<12xf32>
    %209 = stablehlo.multiply %arg63, %208 : tensor<12xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %211 = stablehlo.multiply %205, %210 : tensor<1x1x1x12xf32>
    %212 = stablehlo.broadcast_in_dim %arg64, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %213 = stablehlo.add %211, %212 : tensor<1x1x1x12xf32>
    %214 = stablehlo.add %190, %213 : tensor<1x1x1x12xf32>
    %215 = call @relu_2(%214) : (tensor<1x1x1x12xf32>) -> tensor<1x1x1x12xf32>
    %216 = stablehlo.convolution(%215, %arg16) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x12xf32>, tensor<3x3x12x16xf32>) -> tensor<1x1x1x16xf32>
    %217 = stablehlo.broadcast_in_dim %arg68, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %218 = stablehlo.subtract %216, %217 : tensor<1x1x1x16xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %220 = stablehlo.add %arg96, %219 : tensor<16xf32>
    %221 = stablehlo.rsqrt %220 : tensor<16xf32>
    %222 = stablehlo.multiply %arg66, %221 : tensor<16xf32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %224 = stablehlo.multiply %218, %223 : tensor<1x1x1x16xf32>
    %225 = stablehlo.broadcast_in_dim %arg67, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %226 = stablehlo.add %224, %225 : tensor<1x1x1x16xf32>
    %227 = call @relu_3(%226) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
    %228 = stablehlo.convolution(%227, %arg17) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x1x1x16xf32>
    %229 = stablehlo.broadcast_in_dim %arg71, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %230 = stablehlo.subtract %228, %229 : tensor<1x1x1x16xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %232 = stablehlo.add %arg97, %231 : tensor<16xf32>
    %233 = stablehlo.rsqrt %232 : tensor<16xf32>
    %234 = stablehlo.multiply %arg69, %233 : tensor<16xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %236 = stablehlo.multiply %230, %235 : tensor<1x1x1x16xf32>
    %237 = stablehlo.broadcast_in_dim %arg70, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %238 = stablehlo.add %236, %237 : tensor<1x1x1x16xf32>
    %239 = stablehlo.convolution(%215, %arg18) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x12xf32>, tensor<1x1x12x16xf32>) -> tensor<1x1x1x16xf32>
    %240 = stablehlo.broadcast_in_dim %arg74, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %241 = stablehlo.subtract %239, %240 : tensor<1x1x1x16xf32>
    %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %243 = stablehlo.add %arg98, %242 : tensor<16xf32>
    %244 = stablehlo.rsqrt %243 : tensor<16xf32>
    %245 = stablehlo.multiply %arg72, %244 : tensor<16xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %247 = stablehlo.multiply %241, %246 : tensor<1x1x1x16xf32>
    %248 = stablehlo.broadcast_in_dim %arg73, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %249 = stablehlo.add %247, %248 : tensor<1x1x1x16xf32>
    %250 = stablehlo.add %249, %238 : tensor<1x1x1x16xf32>
    %251 = call @relu_3(%250) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
    %252 = stablehlo.convolution(%251, %arg19) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x1x1x16xf32>
    %253 = stablehlo.broadcast_in_dim %arg77, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %254 = stablehlo.subtract %252, %253 : tensor<1x1x1x16xf32>
    %cst_18 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %256 = stablehlo.add %arg99, %255 : tensor<16xf32>
    %257 = stablehlo.rsqrt %256 : tensor<16xf32>
    %258 = stablehlo.multiply %arg75, %257 : tensor<16xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %260 = stablehlo.multiply %254, %259 : tensor<1x1x1x16xf32>
    %261 = stablehlo.broadcast_in_dim %arg76, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %262 = stablehlo.add %260, %261 : tensor<1x1x1x16xf32>
    %263 = call @relu_3(%262) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
    %264 = stablehlo.convolution(%263, %arg20) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x1x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x1x1x16xf32>
    %265 = stablehlo.broadcast_in_dim %arg80, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %266 = stablehlo.subtract %264, %265 : tensor<1x1x1x16xf32>
    %cst_19 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %268 = stablehlo.add %arg100, %267 : tensor<16xf32>
    %269 = stablehlo.rsqrt %268 : tensor<16xf32>
    %270 = stablehlo.multiply %arg78, %269 : tensor<16xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %272 = stablehlo.multiply %266, %271 : tensor<1x1x1x16xf32>
    %273 = stablehlo.broadcast_in_dim %arg79, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %274 = stablehlo.add %272, %273 : tensor<1x1x1x16xf32>
    %275 = stablehlo.add %251, %274 : tensor<1x1x1x16xf32>
    %276 = call @relu_3(%275) : (tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.reduce(%276 init: %cst_20) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<1x16xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x16xf32>
    %279 = stablehlo.divide %277, %278 : tensor<1x16xf32>
    %280 = stablehlo.dot_general %279, %arg101, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x16xf32>, tensor<16x10xf32>) -> tensor<1x10xf32>
    %281 = stablehlo.broadcast_in_dim %arg102, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %282 = stablehlo.add %280, %281 : tensor<1x10xf32>
    return %282 : tensor<1x10xf32>
  }
  func.func private @relu(%arg0: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x8x8x4xf32>
    return %1 : tensor<1x8x8x4xf32>
  }
  func.func private @relu_0(%arg0: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x4x4x4xf32>
    return %1 : tensor<1x4x4x4xf32>
  }
  func.func private @relu_1(%arg0: tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x2x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x2x2x8xf32>
    return %1 : tensor<1x2x2x8xf32>
  }
  func.func private @relu_2(%arg0: tensor<1x1x1x12xf32>) -> tensor<1x1x1x12xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x12xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x1x1x12xf32>
    return %1 : tensor<1x1x1x12xf32>
  }
  func.func private @relu_3(%arg0: tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x1x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x1x1x16xf32>
    return %1 : tensor<1x1x1x16xf32>
  }
}
