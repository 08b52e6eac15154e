// RUN: halo-opt %s --halo-align-bounded-operands | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: %[[SIZE:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: %[[CUT:.*]] = stablehlo.set_dimension_size %arg1, %[[SIZE]], dim = 0
// CHECK-SAME: -> tensor<?x7xf32, #stablehlo.bounds<5, ?>>
// CHECK: stablehlo.multiply %arg0, %[[CUT]]
func.func @product(%x: tensor<?x7xf32, #stablehlo.bounds<5, ?>>, %y: tensor<5x7xf32>)
    -> tensor<?x7xf32, #stablehlo.bounds<5, ?>> {
  %0 = stablehlo.multiply %x, %y
      : (tensor<?x7xf32, #stablehlo.bounds<5, ?>>, tensor<5x7xf32>) -> tensor<?x7xf32, #stablehlo.bounds<5, ?>>
  return %0 : tensor<?x7xf32, #stablehlo.bounds<5, ?>>
}

// A scalar condition has no dimension, and a size without a bound must be equal.

// CHECK-LABEL: func.func @left_alone
// CHECK-NOT: set_dimension_size
func.func @left_alone(%c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<5xf32>) -> tensor<?xf32> {
  %0 = stablehlo.select %c, %x, %y : (tensor<i1>, tensor<?xf32>, tensor<5xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Two sizes that are not known to be one.

// CHECK-LABEL: func.func @two_sizes
// CHECK: %[[LEFT:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: %[[RIGHT:.*]] = stablehlo.get_dimension_size %arg1, dim = 0
// CHECK: %[[LEAST:.*]] = stablehlo.minimum %[[LEFT]], %[[RIGHT]]
// CHECK: %[[X:.*]] = stablehlo.set_dimension_size %arg0, %[[LEAST]], dim = 0
// CHECK: %[[Y:.*]] = stablehlo.set_dimension_size %arg1, %[[LEAST]], dim = 0
// CHECK: %[[SUM:.*]] = stablehlo.add %[[X]], %[[Y]]
// CHECK: %[[LESS:.*]] = stablehlo.negate %[[SUM]]
// CHECK: stablehlo.multiply %[[SUM]], %[[LESS]]
func.func @two_sizes(%x: tensor<?xf32, #stablehlo.bounds<5>>, %y: tensor<?xf32, #stablehlo.bounds<5>>)
    -> tensor<?xf32, #stablehlo.bounds<5>> {
  %0 = stablehlo.add %x, %y : tensor<?xf32, #stablehlo.bounds<5>>
  %1 = stablehlo.negate %0 : tensor<?xf32, #stablehlo.bounds<5>>
  %2 = stablehlo.multiply %0, %1 : tensor<?xf32, #stablehlo.bounds<5>>
  return %2 : tensor<?xf32, #stablehlo.bounds<5>>
}

// CHECK-LABEL: func.func @slice
// CHECK: %[[SIZE:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: %[[START:.*]] = stablehlo.minimum %{{.*}}, %[[SIZE]]
// CHECK: stablehlo.real_dynamic_slice %arg0
// CHECK-SAME: -> tensor<?x2xf32, #stablehlo.bounds<2, ?>>
func.func @slice(%x: tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<?x2xf32, #stablehlo.bounds<2, ?>> {
  %0 = stablehlo.slice %x [1:5:2, 0:2]
      : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<?x2xf32, #stablehlo.bounds<2, ?>>
  return %0 : tensor<?x2xf32, #stablehlo.bounds<2, ?>>
}

// A slice of fixed size is not shortened.

// CHECK-LABEL: func.func @first
// CHECK: stablehlo.slice %arg0 [0:1]
func.func @first(%x: tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<1xf32> {
  %0 = stablehlo.slice %x [0:1] : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// As many updates as indices.

// CHECK-LABEL: func.func @scatter
// CHECK: %[[SIZE:.*]] = stablehlo.get_dimension_size %arg1, dim = 0
// CHECK: %[[CUT:.*]] = stablehlo.set_dimension_size %arg2, %[[SIZE]], dim = 1
// CHECK: "stablehlo.scatter"(%arg0, %arg1, %[[CUT]])
func.func @scatter(%x: tensor<7xf32>, %i: tensor<?x1xi32, #stablehlo.bounds<5, ?>>, %u: tensor<2x5xf32>)
    -> tensor<7xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<7xf32>, tensor<?x1xi32, #stablehlo.bounds<5, ?>>, tensor<2x5xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// The branch of a constant, whose sizes need not be those of the other one, and a
// reshape that changes nothing.

// CHECK-LABEL: func.func @branch
// CHECK-NOT: stablehlo.if
// CHECK: %[[ALL:.*]] = stablehlo.set_dimension_size %arg0, %arg1, dim = 0
// CHECK: %[[RESULT:.*]] = stablehlo.convert %[[ALL]]
// CHECK-SAME: (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<4, 4>>
// CHECK-NOT: stablehlo.reshape
// CHECK: return %[[RESULT]]
func.func @branch(%x: tensor<4x3xf32>, %n: tensor<i32>) -> tensor<?x?xf32, #stablehlo.bounds<4, 4>> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.if"(%false) ({
    %2 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %3 = stablehlo.set_dimension_size %2, %n, dim = 1
        : (tensor<3x4xf32>, tensor<i32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
    stablehlo.return %3 : tensor<3x?xf32, #stablehlo.bounds<?, 4>>
  }, {
    %2 = stablehlo.set_dimension_size %x, %n, dim = 0
        : (tensor<4x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<4, ?>>
    stablehlo.return %2 : tensor<?x3xf32, #stablehlo.bounds<4, ?>>
  }) : (tensor<i1>) -> tensor<?x?xf32, #stablehlo.bounds<4, 4>>
  %1 = stablehlo.reshape %0
      : (tensor<?x?xf32, #stablehlo.bounds<4, 4>>) -> tensor<?x?xf32, #stablehlo.bounds<4, 4>>
  return %1 : tensor<?x?xf32, #stablehlo.bounds<4, 4>>
}
