// RUN: halo-opt %s --stablehlo-legalize-quant-to-math | FileCheck %s

// CHECK-LABEL: func.func @quantize
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>) -> tensor<4xi8>
// CHECK-DAG: %[[SCALE:.*]] = stablehlo.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK-DAG: %[[MIN:.*]] = stablehlo.constant dense<-1.280000e+02> : tensor<f32>
// CHECK-DAG: %[[MAX:.*]] = stablehlo.constant dense<1.270000e+02> : tensor<f32>
// CHECK: %[[SCALED:.*]] = chlo.broadcast_divide %[[X]], %[[SCALE]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: %[[MOVED:.*]] = chlo.broadcast_add %[[SCALED]], %[[ZERO]]
// CHECK: %[[CLAMPED:.*]] = stablehlo.clamp %[[MIN]], %[[MOVED]], %[[MAX]]
// CHECK: %[[ROUNDED:.*]] = stablehlo.round_nearest_even %[[CLAMPED]]
// CHECK: %[[STORED:.*]] = stablehlo.convert %[[ROUNDED]] : (tensor<4xf32>) -> tensor<4xi8>
// CHECK: return %[[STORED]]
func.func @quantize(%x: tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>> {
  %0 = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:3>>
  return %0 : tensor<4x!quant.uniform<i8:f32, 0.5:3>>
}

// Each slice has its own scale and zero point; unsigned storage is an unsigned
// integer.
// CHECK-LABEL: func.func @dequantize
// CHECK-SAME: (%[[X:.*]]: tensor<3x2xui8>) -> tensor<3x2xf32>
// CHECK-DAG: %[[SCALES:.*]] = stablehlo.constant dense<[5.000000e-01, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[ZEROS:.*]] = stablehlo.constant dense<[128, 7]> : tensor<2xi32>
// CHECK: %[[WIDE:.*]] = stablehlo.convert %[[X]] : (tensor<3x2xui8>) -> tensor<3x2xi32>
// CHECK: %[[MOVED:.*]] = chlo.broadcast_subtract %[[WIDE]], %[[ZEROS]] {broadcast_dimensions = array<i64: 1>}
// CHECK: %[[FLOAT:.*]] = stablehlo.convert %[[MOVED]] : (tensor<3x2xi32>) -> tensor<3x2xf32>
// CHECK: chlo.broadcast_multiply %[[FLOAT]], %[[SCALES]] {broadcast_dimensions = array<i64: 1>}
func.func @dequantize(%x: tensor<3x2x!quant.uniform<u8:f32:1, {0.5:128, 2.0:7}>>) -> tensor<3x2xf32> {
  %0 = stablehlo.uniform_dequantize %x : (tensor<3x2x!quant.uniform<u8:f32:1, {0.5:128, 2.0:7}>>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// What moves elements moves the stored integers; a constant holds them already.
// CHECK-LABEL: func.func @moves
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xi8>) -> (tensor<3x2xi8>, tensor<2xi8>)
// CHECK: %[[C:.*]] = stablehlo.constant dense<[1, -2]> : tensor<2xi8>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[X]], dims = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
// CHECK: return %[[T]], %[[C]]
func.func @moves(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> (tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  %c = "stablehlo.constant"() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  return %0, %c : tensor<3x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>
}

// Weights alone are quantized; the product is one of floats.
// CHECK-LABEL: func.func @hybrid
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[W:.*]]: tensor<3x4xi8>) -> tensor<2x4xf32>
// CHECK: %[[NUMBERS:.*]] = chlo.broadcast_multiply
// CHECK: stablehlo.dot_general %[[X]], %[[NUMBERS]], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @hybrid(%x: tensor<2x3xf32>, %w: tensor<3x4x!quant.uniform<i8:f32:1, {0.5, 1.0, 2.0, 4.0}>>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4x!quant.uniform<i8:f32:1, {0.5, 1.0, 2.0, 4.0}>>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Loops, calls and tuples carry stored integers.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: (%[[X:.*]]: tensor<i8>, %[[P:.*]]: tensor<i1>) -> tuple<tensor<i8>>
// CHECK: "stablehlo.if"(%[[P]])
// CHECK: call @quantized(%[[X]]) : (tensor<i8>) -> tensor<i8>
// CHECK: stablehlo.return %{{.*}} : tensor<i8>
// CHECK: stablehlo.tuple %{{.*}} : tuple<tensor<i8>>
func.func @carried(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %p: tensor<i1>) -> tuple<tensor<!quant.uniform<i8:f32, 0.5>>> {
  %0 = "stablehlo.if"(%p) ({
    %2 = func.call @quantized(%x) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %2 : tensor<!quant.uniform<i8:f32, 0.5>>
  }, {
    stablehlo.return %x : tensor<!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<i1>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.tuple %0 : tuple<tensor<!quant.uniform<i8:f32, 0.5>>>
  return %1 : tuple<tensor<!quant.uniform<i8:f32, 0.5>>>
}

func.func private @quantized(%x: tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>> {
  return %x : tensor<!quant.uniform<i8:f32, 0.5>>
}
