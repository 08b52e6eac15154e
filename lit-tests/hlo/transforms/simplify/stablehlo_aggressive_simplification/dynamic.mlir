// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// CHECK-LABEL: func.func @broadcasts
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<1xindex>, %[[Y:.*]]: tensor<3xf32>, %[[T:.*]]: tensor<2xi32>
// CHECK-DAG: %[[STATIC:.*]] = stablehlo.broadcast_in_dim %[[Y]], dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: return %[[X]], %[[X]], %[[STATIC]]
func.func @broadcasts(%x: tensor<?xf32>, %s: tensor<1xindex>, %y: tensor<3xf32>, %t: tensor<2xi32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<2x3xf32>) {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %1 = shape.shape_of %x : tensor<?xf32> -> tensor<1xindex>
  %2 = stablehlo.dynamic_broadcast_in_dim %x, %1, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %y, %t, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %0, %2, %3 : tensor<?xf32>, tensor<?xf32>, tensor<2x3xf32>
}

// A function that returns the value insists on its type.
// CHECK-LABEL: func.func @constant_shape
// CHECK: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
// CHECK: %[[CAST:.*]] = stablehlo.convert %[[WIDE]] : (tensor<2x5xf32>) -> tensor<?x?xf32>
// CHECK: return %[[CAST]]
func.func @constant_shape(%x: tensor<f32>) -> tensor<?x?xf32> {
  %s = stablehlo.constant dense<[2, 5]> : tensor<2xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @chains
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<2xi32>, %[[T:.*]]: tensor<3xi32>
// CHECK-DAG: %[[ONE:.*]] = stablehlo.dynamic_broadcast_in_dim %[[X]], %[[T]], dims = [2] {{.*}}: (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
// CHECK-DAG: %[[RESHAPE:.*]] = stablehlo.dynamic_reshape %[[X]], %[[S]] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
// CHECK-DAG: %[[LAST:.*]] = stablehlo.dynamic_reshape %[[X]], %[[T]] : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
// CHECK: return %[[ONE]], %[[RESHAPE]], %[[LAST]]
func.func @chains(%x: tensor<?xf32>, %s: tensor<2xi32>, %t: tensor<3xi32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %t, dims = [0, 2] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %2 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %2, %s, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %4 = stablehlo.dynamic_reshape %3, %t : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %1, %3, %4 : tensor<?x?x?xf32>, tensor<?x?xf32>, tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @reshapes
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<1xindex>, %[[Y:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<2xi32>
// CHECK-DAG: %[[THERE:.*]] = stablehlo.dynamic_reshape %[[X]], %[[S]]
// CHECK-DAG: %[[EXP:.*]] = stablehlo.exponential %[[THERE]]
// CHECK-DAG: %[[STATIC:.*]] = stablehlo.reshape %[[Y]] : (tensor<4xf32>) -> tensor<2x2xf32>
// CHECK: return %[[EXP]], %[[S]], %[[STATIC]]
func.func @reshapes(%x: tensor<?xf32>, %s: tensor<1xindex>, %y: tensor<4xf32>, %t: tensor<2xi32>) -> (tensor<?xf32>, tensor<1xindex>, tensor<2x2xf32>) {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %1 = stablehlo.exponential %0 : tensor<?xf32>
  %2 = stablehlo.dynamic_reshape %1, %s : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
  %3 = shape.shape_of %0 : tensor<?xf32> -> tensor<1xindex>
  %4 = stablehlo.dynamic_reshape %y, %t : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  return %2, %3, %4 : tensor<?xf32>, tensor<1xindex>, tensor<2x2xf32>
}

// CHECK-LABEL: func.func @iotas
// CHECK-SAME: %[[I:.*]]: tensor<2xindex>, %[[S:.*]]: tensor<2xi32>
// CHECK: %[[STATIC:.*]] = stablehlo.iota dim = 0 : tensor<4xi8>
// CHECK: %[[CAST:.*]] = arith.index_cast %[[I]] : tensor<2xindex> to tensor<2xi64>
// CHECK: %[[LENGTH:.*]] = stablehlo.slice %[[CAST]] [1:2] : (tensor<2xi64>) -> tensor<1xi64>
// CHECK: %[[VECTOR:.*]] = stablehlo.dynamic_iota %[[LENGTH]], dim = 0 : (tensor<1xi64>) -> tensor<?xi8>
// CHECK: %[[WIDE:.*]] = stablehlo.dynamic_broadcast_in_dim %[[VECTOR]], %[[I]], dims = [1] : (tensor<?xi8>, tensor<2xindex>) -> tensor<?x?xi8>
// CHECK: %[[KNOWN:.*]] = stablehlo.iota dim = 0 : tensor<6xi8>
// CHECK: %[[WIDE_TOO:.*]] = stablehlo.dynamic_broadcast_in_dim %[[KNOWN]], %[[S]], dims = [0] : (tensor<6xi8>, tensor<2xi32>) -> tensor<6x?xi8>
// CHECK: return %[[STATIC]], %[[WIDE]], %[[WIDE_TOO]]
func.func @iotas(%i: tensor<2xindex>, %s: tensor<2xi32>, %n: tensor<1xi32>) -> (tensor<4xi8>, tensor<?x?xi8>, tensor<6x?xi8>) {
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<4xi8>
  %1 = stablehlo.dynamic_iota %i, dim = 1 : (tensor<2xindex>) -> tensor<?x?xi8>
  %2 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<6x?xi8>
  return %0, %1, %2 : tensor<4xi8>, tensor<?x?xi8>, tensor<6x?xi8>
}

// CHECK-LABEL: func.func @gather
// CHECK: "stablehlo.gather"(%arg0, %arg1)
// CHECK-SAME: slice_sizes = array<i64: 1, 8>
func.func @gather(%x: tensor<32x8xf32>, %at: tensor<5xi32>) -> tensor<5x8xf32> {
  %sizes = stablehlo.constant dense<[1, 8]> : tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %at, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                          start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<32x8xf32>, tensor<5xi32>, tensor<2xi32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK: stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [2] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
func.func @pad(%x: tensor<3xf32>, %p: tensor<f32>) -> tensor<8xf32> {
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %high = stablehlo.constant dense<0> : tensor<1xi64>
  %interior = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %p, %low, %high, %interior : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @sizes
// CHECK-DAG: %[[SEVEN:.*]] = stablehlo.constant dense<7> : tensor<i32>
// CHECK-DAG: %[[UNKNOWN:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: return %[[UNKNOWN]], %[[SEVEN]]
func.func @sizes(%x: tensor<?x7xf32>) -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x7xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x7xf32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// CHECK-LABEL: func.func @real_dynamic_slices
// CHECK-SAME: %[[X:.*]]: tensor<?x6xf32>, %[[AT:.*]]: tensor<2xi64>
// CHECK: %[[STATIC:.*]] = stablehlo.slice %[[X]] [1:3, 0:6:2] : (tensor<?x6xf32>) -> tensor<2x3xf32>
// CHECK: %[[V0:.*]] = stablehlo.slice %[[AT]] [0:1]
// CHECK: %[[I0:.*]] = stablehlo.reshape %[[V0]] : (tensor<1xi64>) -> tensor<i64>
// CHECK: %[[V1:.*]] = stablehlo.slice %[[AT]] [1:2]
// CHECK: %[[I1:.*]] = stablehlo.reshape %[[V1]] : (tensor<1xi64>) -> tensor<i64>
// CHECK: %[[MOVING:.*]] = stablehlo.dynamic_slice %[[X]], %[[I0]], %[[I1]], sizes = [2, 3]
// CHECK: return %[[STATIC]], %[[MOVING]]
func.func @real_dynamic_slices(%x: tensor<?x6xf32>, %at: tensor<2xi64>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %start = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limit = stablehlo.constant dense<[3, 6]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %ones = stablehlo.constant dense<1> : tensor<2xi64>
  %sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<?x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  %end = stablehlo.add %at, %sizes : tensor<2xi64>
  %1 = stablehlo.real_dynamic_slice %x, %at, %end, %ones : (tensor<?x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// What is said of the shape stays with it.
// CHECK-LABEL: func.func @sharded_shape
// CHECK: %[[SHAPE:.*]] = shape.const_shape {{ ?}}{mhlo.sharding = "{replicated}"}[4, 8] : tensor<2xindex>
// CHECK: return %[[SHAPE]]
func.func @sharded_shape(%x: tensor<?xf32>) -> tensor<2xindex> {
  %shape = shape.const_shape [4, 8] : tensor<2xindex>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %1 = shape.shape_of %0 {mhlo.sharding = "{replicated}"} : tensor<?x?xf32> -> tensor<2xindex>
  return %1 : tensor<2xindex>
}
