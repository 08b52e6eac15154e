func.func @main(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %max = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %wide = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %shifted = stablehlo.subtract %x, %wide : tensor<64x100xf32>
  %exp = stablehlo.exponential %shifted : tensor<64x100xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %result = stablehlo.divide %exp, %all : tensor<64x100xf32>
  return %result : tensor<64x100xf32>
}
