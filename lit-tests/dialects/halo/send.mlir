// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tokens
// CHECK: %{{.*}} = halo.send(%arg0, %arg1) {channel = 1 : i64, pairs = [array<i64: 0, 1>]} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
func.func @tokens(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = halo.send(%x, %t) {channel = 1 : i64, pairs = [array<i64: 0, 1>]} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// CHECK-LABEL: func.func @tensors
// CHECK: halo.send(%arg0, %arg1) {channel = -2 : i64, pairs = []} : (tensor<4xf32>, tensor<i1>) -> ()
func.func @tensors(%x: tensor<4xf32>, %y: tensor<i1>) {
  halo.send(%x, %y) {channel = -2 : i64, pairs = []} : (tensor<4xf32>, tensor<i1>) -> ()
  return
}
