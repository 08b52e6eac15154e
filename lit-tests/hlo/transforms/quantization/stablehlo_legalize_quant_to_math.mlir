// RUN: halo-opt %s --stablehlo-legalize-quant-to-math | FileCheck %s
// RUN: halo-opt %s --stablehlo-legalize-quant-to-math=products=floats | FileCheck %s --check-prefix=FLOATS
// RUN: halo-opt %s --stablehlo-legalize-quant-to-math=products=integer-groups | FileCheck %s --check-prefix=GROUPS
// RUN: not halo-opt %s --stablehlo-legalize-quant-to-math=products=bytes 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: option 'products' of pass 'stablehlo-legalize-quant-to-math' is 'integers' or 'floats' or 'integer-groups', not 'bytes'

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

// A product reads stored integers and sums up in 32 bits; the zero points come
// out of the sums of each operand, and the scales out of the whole.
// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.*]]: tensor<2x?xi8>, %[[B:.*]]: tensor<?x3xi8>) -> tensor<2x3xi8>
// CHECK: %[[SUM:.*]] = stablehlo.dot_general %[[A]], %[[B]], contracting_dims = [1] x [0] : (tensor<2x?xi8>, tensor<?x3xi8>) -> tensor<2x3xi32>
// CHECK: %[[WIDE:.*]] = stablehlo.convert %[[B]] : (tensor<?x3xi8>) -> tensor<?x3xi32>
// CHECK: %[[COLUMNS:.*]] = stablehlo.reduce(%[[WIDE]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK: %[[OFFSET:.*]] = chlo.broadcast_multiply %[[COLUMNS]], %{{.*}} : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
// CHECK: %[[CENTRED:.*]] = chlo.broadcast_subtract %[[SUM]], %[[OFFSET]] {broadcast_dimensions = array<i64: 1>}
// CHECK: %[[FLOAT:.*]] = stablehlo.convert %[[CENTRED]] : (tensor<2x3xi32>) -> tensor<2x3xf32>
// CHECK: %[[SCALE:.*]] = stablehlo.constant dense<1.250000e-01> : tensor<f32>
// CHECK: chlo.broadcast_multiply %[[FLOAT]], %[[SCALE]]
// CHECK: stablehlo.round_nearest_even

// In floats the factors are the stored integers less their zero points, and the
// scales come behind the sum as well.
// GROUPS-LABEL: func.func @product
// GROUPS: stablehlo.dot_general {{.*}} : (tensor<2x?xi8>, tensor<?x3xi8>) -> tensor<2x3xi32>
// FLOATS-LABEL: func.func @product
// FLOATS: %[[A:.*]] = stablehlo.convert %arg0 : (tensor<2x?xi8>) -> tensor<2x?xf32>
// FLOATS: %[[THREE:.*]] = stablehlo.constant dense<3.000000e+00> : tensor<f32>
// FLOATS: %[[CENTRED:.*]] = chlo.broadcast_subtract %[[A]], %[[THREE]]
// FLOATS: %[[B:.*]] = stablehlo.convert %arg1 : (tensor<?x3xi8>) -> tensor<?x3xf32>
// FLOATS: %[[SUM:.*]] = stablehlo.dot_general %[[CENTRED]], %[[B]], contracting_dims = [1] x [0] : (tensor<2x?xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
// FLOATS: chlo.broadcast_multiply %[[SUM]]
func.func @product(%a: tensor<2x?x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<?x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.0:1>> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x?x!quant.uniform<i8:f32, 0.5:3>>, tensor<?x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.0:1>>
  return %0 : tensor<2x3x!quant.uniform<i8:f32, 2.0:1>>
}

// A result with the scales of the sum is the sum: no floats at all.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: (%[[X:.*]]: tensor<1x4x4x1xi8>, %[[K:.*]]: tensor<3x3x1x2xi8>) -> tensor<1x4x4x2xi32>
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<4> : tensor<i8>
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[X]], %[[ZERO]], low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0]
// CHECK: %[[SUM:.*]] = stablehlo.convolution(%[[PADDED]], %[[K]]) {{.*}}pad = {{\[}}[0, 0], [0, 0]]{{.*}} : (tensor<1x6x6x1xi8>, tensor<3x3x1x2xi8>) -> tensor<1x4x4x2xi32>
// CHECK-NOT: f32
// CHECK: %[[RESULT:.*]] = chlo.broadcast_subtract %[[SUM]], %{{.*}} {broadcast_dimensions = array<i64: 3>}
// CHECK-NEXT: return %[[RESULT]]
func.func @convolution(%x: tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5:4>>, %k: tensor<3x3x1x2x!quant.uniform<i8:f32:3, {0.5, 2.0}>>) -> tensor<1x4x4x2x!quant.uniform<i32:f32:3, {0.25, 1.0}>> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1x!quant.uniform<i8:f32, 0.5:4>>, tensor<3x3x1x2x!quant.uniform<i8:f32:3, {0.5, 2.0}>>) -> tensor<1x4x4x2x!quant.uniform<i32:f32:3, {0.25, 1.0}>>
  return %0 : tensor<1x4x4x2x!quant.uniform<i32:f32:3, {0.25, 1.0}>>
}

// Nine terms are two groups and a part. Sums that the result stores are converted where floats
// hold them.
// GROUPS-LABEL: func.func @convolution
// GROUPS: stablehlo.convolution{{.*}} : (tensor<1x6x6x1xi8>, tensor<3x3x1x2xi8>) -> tensor<1x4x4x2xi32>
// FLOATS-LABEL: func.func @convolution
// FLOATS: %[[SUM:.*]] = stablehlo.convolution{{.*}} : (tensor<1x4x4x1xf32>, tensor<3x3x1x2xf32>) -> tensor<1x4x4x2xf32>
// FLOATS: stablehlo.convert %[[SUM]] : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32>

// GROUPS-LABEL: func.func @channels_last
// GROUPS: stablehlo.convolution{{.*}} : (tensor<1x4x4x8xi8>, tensor<3x3x8x2xi8>) -> tensor<1x4x4x2xi32>
func.func @channels_last(%x: tensor<1x4x4x8x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x3x8x2x!quant.uniform<i8:f32:3, {0.5, 2.0}>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25:1>> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x8x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x8x2x!quant.uniform<i8:f32:3, {0.5, 2.0}>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25:1>>
  return %0 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25:1>>
}

// GROUPS-LABEL: func.func @channels_first
// GROUPS: stablehlo.convolution{{.*}} : (tensor<1x8x4x4xi8>, tensor<3x3x8x2xi8>) -> tensor<1x2x4x4xi32>
func.func @channels_first(%x: tensor<1x8x4x4x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x3x8x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x4x4x!quant.uniform<i8:f32, 0.25:1>> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x4x4x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x8x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x2x4x4x!quant.uniform<i8:f32, 0.25:1>>
  return %0 : tensor<1x2x4x4x!quant.uniform<i8:f32, 0.25:1>>
}

// GROUPS-LABEL: func.func @grouped
// GROUPS: stablehlo.convolution{{.*}} : (tensor<1x4x4x6xi8>, tensor<3x3x3x8xi8>) -> tensor<1x4x4x8xi32>
func.func @grouped(%x: tensor<1x4x4x6x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x3x3x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x4x8x!quant.uniform<i8:f32, 0.25:1>> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x4x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x3x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x4x8x!quant.uniform<i8:f32, 0.25:1>>
  return %0 : tensor<1x4x4x8x!quant.uniform<i8:f32, 0.25:1>>
}

// One channel for each feature is no product of matrices.
// GROUPS-LABEL: func.func @depthwise
// GROUPS: stablehlo.convolution{{.*}} : (tensor<1x4x4x8xf32>, tensor<3x3x1x8xf32>) -> tensor<1x4x4x8xf32>
func.func @depthwise(%x: tensor<1x4x4x8x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x3x1x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x4x8x!quant.uniform<i8:f32, 0.25:1>> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<1x4x4x8x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x1x8x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x4x4x8x!quant.uniform<i8:f32, 0.25:1>>
  return %0 : tensor<1x4x4x8x!quant.uniform<i8:f32, 0.25:1>>
}

// A zero point of the kernel would make integers of 32 bits of both operands.
// GROUPS-LABEL: func.func @kernel_with_zero_point
// GROUPS: stablehlo.convolution{{.*}} : (tensor<1x4x4x8xf32>, tensor<3x3x8x2xf32>) -> tensor<1x4x4x2xf32>
func.func @kernel_with_zero_point(%x: tensor<1x4x4x8x!quant.uniform<i8:f32, 0.5>>, %k: tensor<3x3x8x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25:1>> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x8x!quant.uniform<i8:f32, 0.5>>, tensor<3x3x8x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25:1>>
  return %0 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25:1>>
}

// Sums of 16-bit integers are wider than 32 bits.
// CHECK-LABEL: func.func @wide
// CHECK: stablehlo.dot_general {{.*}} : (tensor<2x8xi16>, tensor<8x3xi16>) -> tensor<2x3xi64>
func.func @wide(%a: tensor<2x8x!quant.uniform<i16:f32, 0.5>>, %b: tensor<8x3x!quant.uniform<i16:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i16:f32, 2.0>> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8x!quant.uniform<i16:f32, 0.5>>, tensor<8x3x!quant.uniform<i16:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i16:f32, 2.0>>
  return %0 : tensor<2x3x!quant.uniform<i16:f32, 2.0>>
}

// Floats do not hold the sums that the result stores.
// FLOATS-LABEL: func.func @inexact
// FLOATS: stablehlo.dot_general {{.*}} : (tensor<2x4096xi8>, tensor<4096x3xi8>) -> tensor<2x3xi32>
func.func @inexact(%a: tensor<2x4096x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4096x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x4096x!quant.uniform<i8:f32, 0.5>>, tensor<4096x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x3x!quant.uniform<i32:f32, 0.125>>
  return %0 : tensor<2x3x!quant.uniform<i32:f32, 0.125>>
}

// Of one type: sums are held within the storage, the larger one is an integer.
// CHECK-LABEL: func.func @one_type
// CHECK: %[[A:.*]] = stablehlo.convert %arg0 : (tensor<?xi8>) -> tensor<?xi32>
// CHECK: %[[B:.*]] = stablehlo.convert %arg1 : (tensor<?xi8>) -> tensor<?xi32>
// CHECK: %[[SUM:.*]] = chlo.broadcast_add %[[A]], %[[B]]
// CHECK: %[[MOVED:.*]] = chlo.broadcast_subtract %[[SUM]], %{{.*}} : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
// CHECK: %[[HELD:.*]] = stablehlo.clamp %{{.*}}, %[[MOVED]], %{{.*}}
// CHECK: %[[STORED:.*]] = stablehlo.convert %[[HELD]] : (tensor<?xi32>) -> tensor<?xi8>
// CHECK: stablehlo.maximum %[[STORED]], %arg0 : tensor<?xi8>
func.func @one_type(%a: tensor<?x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<?x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<?x!quant.uniform<i8:f32, 0.5:3>> {
  %0 = stablehlo.add %a, %b : tensor<?x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.maximum %0, %a : tensor<?x!quant.uniform<i8:f32, 0.5:3>>
  return %1 : tensor<?x!quant.uniform<i8:f32, 0.5:3>>
}
