// RUN: halo-opt %s --stablehlo-legalize-einsum-to-dot-general --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK: %[[DOT:.*]] = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<7x2x3xf32>, tensor<7x3x4xf32>) -> tensor<7x2x4xf32>
// CHECK-NEXT: return %[[DOT]]
func.func @product(%a: tensor<7x2x3xf32>, %b: tensor<7x3x4xf32>) -> tensor<7x2x4xf32> {
  %0 = stablehlo.einsum %a, %b, config = "bij,bjk->bik" : (tensor<7x2x3xf32>, tensor<7x3x4xf32>) -> tensor<7x2x4xf32>
  return %0 : tensor<7x2x4xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK: %[[DOT:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1] : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
// CHECK: stablehlo.transpose %[[DOT]], dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
func.func @transposed(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.einsum %a, %b, config = "ij,kj->ki" : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// What stands in one operand alone is summed over.
// CHECK-LABEL: func.func @sums
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%arg1 init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
// CHECK: stablehlo.dot_general %arg0, %[[SUM]], contracting_dims = [] x [] : (tensor<i32>, tensor<2xi32>) -> tensor<2xi32>
func.func @sums(%one: tensor<i32>, %x: tensor<2x3xi32>) -> tensor<2xi32> {
  %0 = stablehlo.einsum %one, %x, config = ",ij->i" : (tensor<i32>, tensor<2x3xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @diagonal(%a: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{einsum config 'ii,i->i' names 'i' twice in one place, which is not supported}}
  %0 = stablehlo.einsum %a, %b, config = "ii,i->i" : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
