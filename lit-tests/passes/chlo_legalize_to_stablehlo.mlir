// RUN: halo-opt %s --chlo-legalize-to-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @broadcast
// CHECK: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.add %arg0, %[[WIDE]] : tensor<4x3xf32>
func.func @broadcast(%a: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Both operands grow where each has a dimension of size 1.
// CHECK-LABEL: func.func @both
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
func.func @both(%a: tensor<4x1xf32>, %b: tensor<1x3xf32>) -> tensor<4x3xi1> {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x1xf32>, tensor<1x3xf32>) -> tensor<4x3xi1>
  return %0 : tensor<4x3xi1>
}

// CHECK-LABEL: func.func @square
// CHECK: stablehlo.multiply %arg0, %arg0
func.func @square(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
