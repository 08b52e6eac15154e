// RUN: halo-opt %s --shape-legalize-to-stablehlo | FileCheck %s
// RUN: halo-opt %s --shape-legalize-to-stablehlo=legalize-constraints=true | FileCheck %s

// CHECK-LABEL: @shape_of
func.func @shape_of(%a: tensor<?x3xf32>, %b: tensor<?xf32>) -> tensor<?x3xf32> {
  // CHECK: %[[D0:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK: %[[V0:.*]] = stablehlo.reshape %[[D0]] : (tensor<i32>) -> tensor<1xi32>
  // CHECK: %[[D1:.*]] = stablehlo.get_dimension_size %arg0, dim = 1
  // CHECK: %[[V1:.*]] = stablehlo.reshape %[[D1]] : (tensor<i32>) -> tensor<1xi32>
  // CHECK: %[[SHAPE:.*]] = stablehlo.concatenate %[[V0]], %[[V1]], dim = 0
  // CHECK: stablehlo.dynamic_reshape %arg1, %[[SHAPE]] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  %0 = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %1 = stablehlo.dynamic_reshape %b, %0 : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}

// CHECK-LABEL: @broadcast
func.func @broadcast(%a: tensor<?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // CHECK: %[[ONES:.*]] = stablehlo.constant dense<1> : tensor<1xi32>
  // CHECK: %[[LEFT:.*]] = stablehlo.concatenate %[[ONES]], %{{.*}}, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK: %[[SHAPE:.*]] = stablehlo.maximum %[[LEFT]], %{{.*}} : tensor<2xi32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %arg0, %[[SHAPE]], dims = [1]
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<2x?xf32> -> tensor<2xindex>
  %2 = shape.broadcast %0, %1 : tensor<1xindex>, tensor<2xindex> -> tensor<2xindex>
  %3 = stablehlo.dynamic_broadcast_in_dim %a, %2, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<2x?xf32>
  return %3 : tensor<2x?xf32>
}

// CHECK-LABEL: @num_elements
func.func @num_elements(%a: tensor<?x3xf32>) -> tensor<?xf32> {
  // CHECK-NOT: shape.
  // CHECK-NOT: tensor.from_elements
  // CHECK: stablehlo.multiply {{.*}} : tensor<i32>
  // CHECK: stablehlo.multiply {{.*}} : tensor<i32>
  // CHECK: %[[SHAPE:.*]] = stablehlo.reshape {{.*}} : (tensor<i32>) -> tensor<1xi32>
  // CHECK: stablehlo.dynamic_reshape %arg0, %{{.*}} : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  %0 = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %1 = shape.num_elements %0 : tensor<2xindex> -> index
  %2 = tensor.from_elements %1 : tensor<1xindex>
  %3 = stablehlo.dynamic_reshape %a, %2 : (tensor<?x3xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}

// CHECK-LABEL: @dim
func.func @dim(%a: tensor<?x3xf32>) -> tensor<?x4xi32> {
  // CHECK-DAG: %[[FOUR:.*]] = stablehlo.constant dense<4> : tensor<1xi32>
  // CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK: %[[D:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK: %[[N:.*]] = stablehlo.multiply %[[D]], %[[TWO]]
  // CHECK: %[[V:.*]] = stablehlo.reshape %[[N]]
  // CHECK: stablehlo.concatenate %[[V]], %[[FOUR]], dim = 0
  // CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %0 = tensor.dim %a, %c0 : tensor<?x3xf32>
  %1 = arith.muli %0, %c2 : index
  %2 = tensor.from_elements %1, %c4 : tensor<2xindex>
  %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<2xindex>) -> tensor<?x4xi32>
  return %3 : tensor<?x4xi32>
}

// CHECK-LABEL: @extract_and_cast
func.func @extract_and_cast(%a: tensor<2x?xf32>) -> tensor<i64> {
  // CHECK: %[[S:.*]] = stablehlo.slice %{{.*}} [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  // CHECK: %[[E:.*]] = stablehlo.reshape %[[S]] : (tensor<1xi32>) -> tensor<i32>
  // CHECK: %[[W:.*]] = stablehlo.convert %[[E]] : (tensor<i32>) -> tensor<i64>
  // CHECK: return %[[W]] : tensor<i64>
  %c1 = arith.constant 1 : index
  %0 = shape.shape_of %a : tensor<2x?xf32> -> tensor<2xindex>
  %1 = tensor.extract %0[%c1] : tensor<2xindex>
  %2 = arith.index_cast %1 : index to i64
  %3 = tensor.from_elements %2 : tensor<i64>
  return %3 : tensor<i64>
}
