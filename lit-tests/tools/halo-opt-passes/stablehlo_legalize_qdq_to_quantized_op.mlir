// RUN: halo-opt %s --stablehlo-legalize-qdq-to-quantized-op | FileCheck %s

// CHECK-LABEL: func.func @fused
// CHECK-NEXT: %[[R:.*]] = stablehlo.multiply %arg0, %arg1
// CHECK-NEXT: return %[[R]]
func.func @fused(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  %1 = stablehlo.uniform_dequantize %b : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4xf32>
  %3 = stablehlo.uniform_quantize %2 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %3 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

// An operand that is not dequantized.
// CHECK-LABEL: func.func @not_all
// CHECK: stablehlo.multiply %{{.*}}, %arg1 : tensor<4xf32>
// CHECK: stablehlo.uniform_quantize
func.func @not_all(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  %1 = stablehlo.multiply %0, %b : tensor<4xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %2 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

// Moved elements keep their scale, so another one cannot be fused.
// CHECK-LABEL: func.func @moves
// CHECK: %[[T:.*]] = stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xf32>)
// CHECK: %[[KEPT:.*]] = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 5.000000e-01>>)
// CHECK: %[[OTHER:.*]] = stablehlo.uniform_quantize %[[T]]
// CHECK: return %[[KEPT]], %[[OTHER]]
func.func @moves(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> (tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  %3 = stablehlo.uniform_quantize %1 : (tensor<3x2xf32>) -> tensor<3x2x!quant.uniform<i8:f32, 0.25>>
  return %2, %3 : tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.25>>
}
