// RUN: halo-opt %s --stablehlo-legalize-quantized-op-to-qdq | FileCheck %s

// CHECK-LABEL: func.func @computes
// CHECK: %[[A:.*]] = stablehlo.uniform_dequantize %arg0 : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4xf32>
// CHECK: %[[B:.*]] = stablehlo.uniform_dequantize %arg1
// CHECK: %[[SUM:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<4xf32>
// CHECK: %[[Q:.*]] = stablehlo.uniform_quantize %[[SUM]] : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01:3>>
// CHECK: return %[[Q]]
func.func @computes(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x!quant.uniform<i8:f32, 2.0:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.25:3>> {
  %0 = stablehlo.add %a, %b : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 2.0:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.25:3>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.25:3>>
}

// Results may be of another kind.
// CHECK-LABEL: func.func @compares
// CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT: return
func.func @compares(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xi1> {
  %0 = stablehlo.compare LT, %a, %a : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// What only moves elements, and what is no quantized op, stays.
// CHECK-LABEL: func.func @moves
// CHECK-NEXT: stablehlo.reverse %arg0
// CHECK-NEXT: stablehlo.sine %arg1
// CHECK-NEXT: return
func.func @moves(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %f: tensor<4xf32>) -> (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4xf32>) {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<4x!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.sine %f : tensor<4xf32>
  return %0, %1 : tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4xf32>
}
