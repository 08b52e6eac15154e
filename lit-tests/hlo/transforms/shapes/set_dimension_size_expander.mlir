// RUN: halo-opt %s --set-dimension-size-expander | FileCheck %s
// RUN: halo-opt %s --set-dimension-size-expander --stablehlo-refine-shapes | FileCheck %s --check-prefix=REFINED

// CHECK-LABEL: func.func @main
// REFINED-LABEL: func.func @main
// REFINED-SAME:    -> (tensor<2x1xf32>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>)
func.func @main(%x: tensor<2x3xf32>, %m: tensor<i32>)
    -> (tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>) {
  %n = stablehlo.constant dense<1> : tensor<i32>
  // CHECK: stablehlo.slice %{{.*}} [0:2, 0:1] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1
      : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  // REFINED: stablehlo.negate %{{.*}} : tensor<2x1xf32>
  %1 = stablehlo.negate %0 : tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  // A size that is not known stays.
  // CHECK: stablehlo.set_dimension_size
  %2 = stablehlo.set_dimension_size %x, %m, dim = 1
      : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32, #stablehlo.bounds<?, 3>>
  return %1, %2 : tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>
}

// A result of static shape says the size.

// CHECK-LABEL: func.func @static_results
func.func @static_results(%x: tensor<5x3xf32>, %n: tensor<i32>) -> (tensor<5x3xf32>, tensor<2x3xf32>) {
  // CHECK: %[[PART:.*]] = stablehlo.slice %arg0 [0:2, 0:3]
  // CHECK: return %arg0, %[[PART]]
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1
      : (tensor<5x3xf32>, tensor<i32>) -> tensor<5x3xf32>
  %1 = stablehlo.set_dimension_size %x, %n, dim = 0
      : (tensor<5x3xf32>, tensor<i32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<5x3xf32>, tensor<2x3xf32>
}

// Branches that cut to different sizes return one type.
// CHECK-LABEL: func.func @branches
// CHECK: %[[ONE:.*]] = stablehlo.slice %arg0 [0:1]
// CHECK: %[[OPEN:.*]] = stablehlo.convert %[[ONE]] : (tensor<1xf32>) -> tensor<?xf32, #stablehlo.bounds<3>>
// CHECK: stablehlo.return %[[OPEN]]
// REFINED-LABEL: func.func @branches
// REFINED: (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @branches(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = "stablehlo.if"(%p) ({
    %one = stablehlo.constant dense<1> : tensor<i32>
    %a = stablehlo.set_dimension_size %x, %one, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    stablehlo.return %a : tensor<?xf32, #stablehlo.bounds<4>>
  }, {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %a = stablehlo.set_dimension_size %x, %three, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
    stablehlo.return %a : tensor<?xf32, #stablehlo.bounds<4>>
  }) : (tensor<i1>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}
