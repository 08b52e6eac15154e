// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tokens
// CHECK: %{{.*}}:2 = halo.recv(%arg0) {channel = 1 : i64, pairs = [array<i64: 0, 1>, array<i64: 1, 0>]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
func.func @tokens(%t: !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token) {
  %0:2 = halo.recv(%t) {channel = 1 : i64, pairs = [array<i64: 0, 1>, array<i64: 1, 0>]} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<4xf32>, !stablehlo.token
}

// CHECK-LABEL: func.func @tensors
// CHECK: %{{.*}} = halo.recv() {channel = 1 : i64, pairs = []} : () -> tensor<4xf32>
func.func @tensors() -> tensor<4xf32> {
  %0 = halo.recv() {channel = 1 : i64, pairs = []} : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
