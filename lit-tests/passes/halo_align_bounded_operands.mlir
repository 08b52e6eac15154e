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
