// Quantized tensors. Values: NumPy.

// Operands of different scales; the last element exceeds the storage type.
func.func @quantized_sums_are_sums_of_numbers() attributes {folds_constants} {
  %a = stablehlo.constant {input} dense<[-1.0, 0.3, 0.7, 40.0]> : tensor<4xf32>
  %b = stablehlo.constant {input} dense<[0.5, -0.25, 1.625, 3.0]> : tensor<4xf32>
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.25:-10>>
  %1 = stablehlo.uniform_quantize %b : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.125:5>>
  %2 = stablehlo.add %0, %1
    : (tensor<4x!quant.uniform<i8:f32, 0.25:-10>>, tensor<4x!quant.uniform<i8:f32, 0.125:5>>)
    -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
  check.expect_eq_const %3, dense<[-0.5, 0.0, 2.5, 37.5]> : tensor<4xf32>
  return
}

// Only the weights are quantized, each column with a scale of its own.
func.func @weights_alone_may_be_quantized() attributes {folds_constants} {
  %x = stablehlo.constant {input} dense<[[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]]> : tensor<2x3xf32>
  %w = stablehlo.constant {input} dense<[[0.3, 10.0], [-0.7, 25.0], [1.26, -31.0]]>
    : tensor<3x2xf32>
  %0 = stablehlo.uniform_quantize %w : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.125, 0.5}>>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2x!quant.uniform<i8:f32:1, {0.125, 0.5}>>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[2.5, -33.0], [4.375, -121.5]]> : tensor<2x2xf32>
  return
}
