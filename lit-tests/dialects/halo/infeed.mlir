// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tokens
// CHECK: %{{.*}}:2 = halo.infeed(%arg0) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
func.func @tokens(%t: !stablehlo.token) -> (tensor<4xf32>, !stablehlo.token) {
  %0:2 = halo.infeed(%t) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %0#0, %0#1 : tensor<4xf32>, !stablehlo.token
}

// CHECK-LABEL: func.func @tensors
// CHECK: %{{.*}} = halo.infeed() : () -> tensor<4xf32>
func.func @tensors() -> tensor<4xf32> {
  %0 = halo.infeed() : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
