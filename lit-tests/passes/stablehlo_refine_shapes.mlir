// RUN: halo-opt %s --stablehlo-refine-shapes --split-input-file | FileCheck %s

// Functions are refined for what they are called with: @ones once for each size.

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<4x3xf32>, tensor<3xf32>)
func.func @main(%a: tensor<4x3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>) {
  // CHECK: call @ones({{.*}}) : (tensor<i32>) -> tensor<4xf32>
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4x3xf32>) -> tensor<i32>
  %1 = func.call @ones(%0) : (tensor<i32>) -> tensor<?xf32>
  %2 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x3xf32>) -> tensor<i32>
  // CHECK: call @ones_1({{.*}}) : (tensor<i32>) -> tensor<3xf32>
  %3 = func.call @ones(%2) : (tensor<i32>) -> tensor<?xf32>
  %4 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %5 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
  %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK: %[[SHAPE:.*]] = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %[[SHAPE]], dims = [0] : (tensor<4xf32>, tensor<2xi32>) -> tensor<4x3xf32>
  %7 = stablehlo.dynamic_broadcast_in_dim %1, %6, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  // CHECK: stablehlo.add {{.*}} : tensor<4x3xf32>
  %8 = stablehlo.add %7, %a : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
  return %8, %3 : tensor<?x3xf32>, tensor<?xf32>
}

// CHECK: func.func private @ones(%{{.*}}: tensor<i32>) -> tensor<4xf32>
// CHECK: func.func private @ones_1(%{{.*}}: tensor<i32>) -> tensor<3xf32>
// CHECK-NOT: func.func
func.func private @ones(%n: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.constant dense<1.0> : tensor<f32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// A loop works on what it is given; branches join.

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<5xf32>, tensor<5xf32>)
func.func @main(%a: tensor<5xf32>, %p: tensor<i1>) -> (tensor<?xf32>, tensor<?xf32>) {
  %n = stablehlo.constant dense<5> : tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<5xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: stablehlo.while(%{{.*}}) : tensor<i1>, tensor<5xf32>
  // CHECK: stablehlo.negate {{.*}} : tensor<5xf32>
  %1:2 = stablehlo.while(%c = %p, %x = %0) : tensor<i1>, tensor<?xf32>
    cond {
    stablehlo.return %c : tensor<i1>
  } do {
    %f = stablehlo.constant dense<false> : tensor<i1>
    %y = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %f, %y : tensor<i1>, tensor<?xf32>
  }
  // CHECK: "stablehlo.if"
  // CHECK: (tensor<i1>) -> tensor<5xf32>
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %1#1 : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<5xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %1#1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

// Custom calls say which operands are shapes; arguments come out of their
// wrappers.

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<2x6xf32>
func.func @main(%a: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // CHECK-NOT: shape_refinement_operand_wrapper
  %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%a, %c) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %1 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %2 = stablehlo.constant dense<6> : tensor<1xi32>
  %3 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %4 = stablehlo.concatenate %3, %2, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK: stablehlo.custom_call @double(%arg0, %{{.*}}) {{.*}} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  %5 = stablehlo.custom_call @double(%0, %4) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %5 : tensor<?x?xf32>
}
