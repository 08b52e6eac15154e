// A dense layer, the gradients of its loss, and the update of its weights.
func.func @main(%arg0: tensor<256x128xf32>, %arg1: tensor<128xf32>, %arg2: tensor<64x256xf32>, %arg3: tensor<64x128xf32>) -> (tensor<256x128xf32>, tensor<128xf32>, tensor<f32>) {
  %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x128xf32>) -> tensor<64x128xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<64x128xf32>
  %3 = stablehlo.add %0, %2 : tensor<64x128xf32>
  %4 = stablehlo.tanh %3 : tensor<64x128xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
  %6 = stablehlo.subtract %5, %4 : tensor<64x128xf32>
  %7 = stablehlo.subtract %4, %arg3 : tensor<64x128xf32>
  %8 = stablehlo.multiply %7, %7 : tensor<64x128xf32>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
  %10 = stablehlo.multiply %9, %7 : tensor<64x128xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<f32>
  %cst_2 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
  %12 = stablehlo.divide %11, %cst_2 : tensor<f32>
  %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_4 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
  %13 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
  %15 = stablehlo.multiply %14, %10 : tensor<64x128xf32>
  %16 = stablehlo.multiply %15, %6 : tensor<64x128xf32>
  %17 = stablehlo.multiply %16, %4 : tensor<64x128xf32>
  %18 = stablehlo.add %16, %17 : tensor<64x128xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %19 = stablehlo.reduce(%18 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<64x128xf32>, tensor<f32>) -> tensor<128xf32>
  %20 = stablehlo.reshape %19 : (tensor<128xf32>) -> tensor<1x128xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %21 = stablehlo.reduce(%20 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x128xf32>, tensor<f32>) -> tensor<128xf32>
  %22 = stablehlo.dot_general %18, %arg2, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x256xf32>) -> tensor<128x256xf32>
  %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<128x256xf32>) -> tensor<256x128xf32>
  %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<256x128xf32>
  %25 = stablehlo.multiply %24, %23 : tensor<256x128xf32>
  %26 = stablehlo.subtract %arg0, %25 : tensor<256x128xf32>
  %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<128xf32>
  %28 = stablehlo.multiply %27, %21 : tensor<128xf32>
  %29 = stablehlo.subtract %arg1, %28 : tensor<128xf32>
  return %26, %29, %12 : tensor<256x128xf32>, tensor<128xf32>, tensor<f32>
}
