// RUN: halo-opt %s --hlo-test-broadcast --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s

// Sizes go together from the last dimension to the first; what is missing, and
// sizes of 1, are repeated.

// CHECK-LABEL: func.func @static
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<5xf32>) -> tensor<10x5xf32>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<10x1xf32>) -> tensor<10x5xf32>
// CHECK-NEXT: stablehlo.custom_call @numpy_broadcasted(%[[A]], %[[B]], %arg2)
func.func @static(%a: tensor<5xf32>, %b: tensor<10x1xf32>, %c: tensor<10x5xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b, %c) : (tensor<5xf32>, tensor<10x1xf32>, tensor<10x5xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// What is repeated up to a bound is cut to the size that another operand has.

// CHECK-LABEL: func.func @bounded
// CHECK-NEXT: %[[A:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<?x1xf32, #stablehlo.bounds<10, ?>>) -> tensor<?x7xf32, #stablehlo.bounds<10, ?>>
// CHECK-NEXT: %[[COLUMNS:.*]] = stablehlo.get_dimension_size %arg1, dim = 0
// CHECK-NEXT: %[[A_CUT:.*]] = stablehlo.set_dimension_size %[[A]], %[[COLUMNS]], dim = 1 {{.*}} -> tensor<?x?xf32, #stablehlo.bounds<10, 7>>
// CHECK-NEXT: %[[B:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<?xf32, #stablehlo.bounds<7>>) -> tensor<10x?xf32, #stablehlo.bounds<?, 7>>
// CHECK-NEXT: %[[ROWS:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK-NEXT: %[[B_CUT:.*]] = stablehlo.set_dimension_size %[[B]], %[[ROWS]], dim = 0
// CHECK-NEXT: stablehlo.custom_call @numpy_broadcasted(%[[A_CUT]], %[[B_CUT]])
func.func @bounded(%a: tensor<?x1xf32, #stablehlo.bounds<10, ?>>, %b: tensor<?xf32, #stablehlo.bounds<7>>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<?x1xf32, #stablehlo.bounds<10, ?>>, tensor<?xf32, #stablehlo.bounds<7>>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// expected-error @+1 {{incompatible shapes for broadcasting 5 and 4}}
func.func @sizes(%a: tensor<4xf32>, %b: tensor<2x5xf32>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%b, %a) : (tensor<2x5xf32>, tensor<4xf32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// expected-error @+1 {{cannot mix bounded and static dimensions in broadcast}}
func.func @mixed(%a: tensor<10xf32>, %b: tensor<?xf32, #stablehlo.bounds<10>>) -> !stablehlo.token {
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<10xf32>, tensor<?xf32, #stablehlo.bounds<10>>) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @token(%a: tensor<10xf32>, %b: !stablehlo.token) -> !stablehlo.token {
  // expected-error @+1 {{expected ranked tensor type for broadcast inputs}}
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<10xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @nothing() -> !stablehlo.token {
  // expected-error @+1 {{requires at least one operand to broadcast}}
  %0 = "hlo_test_broadcast.numpy_broadcast"() : () -> !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

func.func @no_bound(%a: tensor<?xf32>, %b: tensor<f32>) -> !stablehlo.token {
  // expected-error @+1 {{a size without a bound cannot be broadcast to}}
  %0 = "hlo_test_broadcast.numpy_broadcast"(%a, %b) : (tensor<?xf32>, tensor<f32>) -> !stablehlo.token
  return %0 : !stablehlo.token
}
