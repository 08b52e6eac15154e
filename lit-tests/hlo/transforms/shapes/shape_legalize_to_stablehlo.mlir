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
  // CHECK: %[[D:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK: %[[N:.*]] = stablehlo.multiply %[[D]], %[[TWO]]
  // CHECK: %[[V:.*]] = stablehlo.reshape %[[N]]
  // CHECK: %[[FOUR:.*]] = stablehlo.constant dense<4> : tensor<1xi32>
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

// Constants and arithmetic on indices, in the order of the program; integers
// are elements as they are.

// CHECK-LABEL: @arithmetic
func.func @arithmetic(%a: tensor<?xf32>, %n: i64) -> (tensor<?x?xf32>, tensor<?x5xi32>) {
  // CHECK: %[[D:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
  // CHECK-NEXT: %[[SEVEN:.*]] = stablehlo.constant dense<7> : tensor<i32>
  // CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[D]], %[[SEVEN]] : tensor<i32>
  // CHECK-NEXT: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[HALF:.*]] = stablehlo.divide %[[SUM]], %[[TWO]] : tensor<i32>
  // CHECK-NEXT: %[[WIDE:.*]] = stablehlo.convert %[[HALF]] : (tensor<i32>) -> tensor<i64>
  // CHECK-NEXT: %[[FIRST:.*]] = stablehlo.reshape %[[WIDE]] : (tensor<i64>) -> tensor<1xi64>
  // CHECK-NEXT: %[[N:.*]] = builtin.unrealized_conversion_cast %arg1 : i64 to tensor<i64>
  // CHECK-NEXT: %[[SECOND:.*]] = stablehlo.reshape %[[N]] : (tensor<i64>) -> tensor<1xi64>
  // CHECK-NEXT: %[[SHAPE:.*]] = stablehlo.concatenate %[[FIRST]], %[[SECOND]], dim = 0
  // CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %arg0, %[[SHAPE]], dims = [1]
  // CHECK-NEXT: %[[CONSTANT:.*]] = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
  // CHECK-NEXT: stablehlo.dynamic_iota %[[CONSTANT]], dim = 0
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %shape = arith.constant dense<[4, 5]> : tensor<2xindex>
  %0 = tensor.dim %a, %c0 : tensor<?xf32>
  %1 = arith.addi %0, %c7 : index
  %2 = arith.divsi %1, %c2 : index
  %3 = arith.index_cast %2 : index to i64
  %4 = tensor.from_elements %3, %n : tensor<2xi64>
  %5 = stablehlo.dynamic_broadcast_in_dim %a, %4, dims = [1] : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %6 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xindex>) -> tensor<?x5xi32>
  return %5, %6 : tensor<?x?xf32>, tensor<?x5xi32>
}
