// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tokens
// CHECK: %{{.*}} = halo.outfeed(%arg0, %arg1) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
func.func @tokens(%x: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = halo.outfeed(%x, %t) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}

// CHECK-LABEL: func.func @tensors
// CHECK: halo.outfeed(%arg0) : (tensor<4xf32>) -> ()
func.func @tensors(%x: tensor<4xf32>) {
  halo.outfeed(%x) : (tensor<4xf32>) -> ()
  return
}
