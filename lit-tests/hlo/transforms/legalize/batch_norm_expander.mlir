// RUN: halo-opt %s --batch-norm-expander | FileCheck %s

// CHECK-LABEL: func.func @inference
// CHECK-DAG: %[[EPSILON:.*]] = stablehlo.constant dense<1.000000e-03> : tensor<4xf32>
// CHECK-DAG: %[[MEAN:.*]] = stablehlo.broadcast_in_dim %arg3, dims = [1]
// CHECK-DAG: %[[CENTERED:.*]] = stablehlo.subtract %arg0, %[[MEAN]]
// CHECK-DAG: %[[SHIFTED:.*]] = stablehlo.add %arg4, %[[EPSILON]]
// CHECK-DAG: %[[ROOT:.*]] = stablehlo.sqrt %[[SHIFTED]]
// CHECK-DAG: %[[DEVIATION:.*]] = stablehlo.broadcast_in_dim %[[ROOT]], dims = [1]
// CHECK-DAG: %[[SCALE:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1]
// CHECK-DAG: %[[OFFSET:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [1]
// CHECK: %[[NORMALIZED:.*]] = stablehlo.divide %[[CENTERED]], %[[DEVIATION]]
// CHECK: %[[SCALED:.*]] = stablehlo.multiply %[[NORMALIZED]], %[[SCALE]]
// CHECK: %[[RESULT:.*]] = stablehlo.add %[[SCALED]], %[[OFFSET]]
// CHECK: return %[[RESULT]]
func.func @inference(%x: tensor<8x4xf32>, %scale: tensor<4xf32>, %offset: tensor<4xf32>, %mean: tensor<4xf32>, %variance: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{epsilon = 1.0e-03 : f32, feature_index = 1 : i64}> : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// The number of elements is computed where it is not known, and bf16 summed in
// f32.
// CHECK-LABEL: func.func @training
// CHECK: %[[SIZE:.*]] = stablehlo.get_dimension_size %arg0, dim = 1
// CHECK: %[[SIZE_64:.*]] = stablehlo.convert %[[SIZE]] : (tensor<i32>) -> tensor<i64>
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<2x?xbf16>) -> tensor<2x?xf32>
// CHECK: stablehlo.reduce(%[[WIDE]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK: stablehlo.convert %[[SIZE_64]] : (tensor<i64>) -> tensor<f32>
// CHECK: %[[CENTERED:.*]] = stablehlo.subtract %[[WIDE]], %{{.*}}
// CHECK: %[[SQUARES:.*]] = stablehlo.multiply %[[CENTERED]], %[[CENTERED]]
// CHECK: stablehlo.reduce(%[[SQUARES]] init: %{{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK: stablehlo.convert %{{.*}} : (tensor<2xf32>) -> tensor<2xbf16>
func.func @training(%x: tensor<2x?xbf16>, %scale: tensor<2xbf16>, %offset: tensor<2xbf16>) -> tensor<2xbf16> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 0 : i64}> : (tensor<2x?xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> (tensor<2x?xbf16>, tensor<2xbf16>, tensor<2xbf16>)
  return %0#2 : tensor<2xbf16>
}

// CHECK-LABEL: func.func @grad
// CHECK-DAG: %[[CENTERED:.*]] = stablehlo.subtract %arg0, %{{.*}}
// CHECK-DAG: %[[PRODUCTS:.*]] = stablehlo.multiply %arg2, %[[CENTERED]]
// CHECK-DAG: %[[ALONG:.*]] = stablehlo.reduce(%[[PRODUCTS]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK-DAG: %[[GRAD_OFFSET:.*]] = stablehlo.reduce(%arg2 init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK-DAG: %[[GRAD_SCALE:.*]] = stablehlo.divide %[[ALONG]], %{{.*}}
// CHECK: return %{{.*}}, %[[GRAD_SCALE]], %[[GRAD_OFFSET]]
func.func @grad(%x: tensor<8x4xf64>, %v: tensor<4xf64>, %g: tensor<8x4xf64>) -> (tensor<8x4xf64>, tensor<4xf64>, tensor<4xf64>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %g) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<8x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<8x4xf64>) -> (tensor<8x4xf64>, tensor<4xf64>, tensor<4xf64>)
  return %0#0, %0#1, %0#2 : tensor<8x4xf64>, tensor<4xf64>, tensor<4xf64>
}
