// RUN: halo-opt %s --stablehlo-legalize-deprecated-ops --split-input-file --verify-diagnostics | FileCheck %s
// RUN: halo-opt %s --stablehlo-legalize-deprecated-ops=fail-on-unused=false --split-input-file | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @broadcast
// CHECK: stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<2x3xf32>) -> tensor<5x4x2x3xf32>
func.func @broadcast(%x: tensor<2x3xf32>) -> tensor<5x4x2x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [5, 4] : (tensor<2x3xf32>) -> tensor<5x4x2x3xf32>
  return %0 : tensor<5x4x2x3xf32>
}

// CHECK-LABEL: func.func @token
// CHECK: stablehlo.after_all : !stablehlo.token
func.func @token() -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  return %0 : !stablehlo.token
}

// CHECK-LABEL: func.func @sum
// CHECK{LITERAL}: replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
// CHECK: ^bb0(%[[A:.*]]: tensor<bf16>, %[[B:.*]]: tensor<bf16>):
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[A]], %[[B]] : tensor<bf16>
// CHECK-NEXT: stablehlo.return %[[SUM]]
func.func @sum(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xbf16>) -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @dots
// CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGH, HIGH] {mhlo.sharding = "s"} : (tensor<2x3xf32>, tensor<3x?xf32>) -> tensor<2x?xf32>
// CHECK: stablehlo.dot_general %arg2, %arg2, contracting_dims = [0] x [0] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
func.func @dots(%a: tensor<2x3xf32>, %b: tensor<3x?xf32>, %v: tensor<3xf32>) -> (tensor<2x?xf32>, tensor<f32>) {
  %0 = stablehlo.dot %a, %b, precision = [HIGH, HIGH] {mhlo.sharding = "s"} : (tensor<2x3xf32>, tensor<3x?xf32>) -> tensor<2x?xf32>
  %1 = stablehlo.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %0, %1 : tensor<2x?xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @einsum_of_one
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i32>
// CHECK: stablehlo.einsum %[[ONE]], %arg0, config = ",ij->ji" : (tensor<i32>, tensor<2x3xi32>) -> tensor<3x2xi32>
func.func @einsum_of_one(%x: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %0 = stablehlo.unary_einsum %x, config = "ij->ji" : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// -----

// KEEP-LABEL: func.func @map
// KEEP: "stablehlo.map"
func.func @map(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'stablehlo.map' that was explicitly marked illegal}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.sine %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// KEEP-LABEL: func.func @rng
// KEEP: stablehlo.rng
func.func @rng(%a: tensor<f32>, %b: tensor<f32>) -> tensor<3xf32> {
  %shape = stablehlo.constant dense<3> : tensor<1xi64>
  // expected-error@+1 {{'stablehlo.rng' that was explicitly marked illegal}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
