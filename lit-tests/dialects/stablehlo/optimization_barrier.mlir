// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
// CHECK: %0 = stablehlo.optimization_barrier %arg0 : tensor<f32>
// CHECK: %1:3 = stablehlo.optimization_barrier %arg0, %arg1, %arg2 : tensor<f32>, tensor<?x3xi8>, !stablehlo.token
// CHECK: stablehlo.optimization_barrier()
// CHECK: %2:2 = stablehlo.optimization_barrier %arg0, %arg2 : tensor<f32>, !stablehlo.token
func.func @values(%a: tensor<f32>, %b: tensor<?x3xi8>, %t: !stablehlo.token) {
  %0 = stablehlo.optimization_barrier %a : tensor<f32>
  %1:3 = stablehlo.optimization_barrier %a, %b, %t : tensor<f32>, tensor<?x3xi8>, !stablehlo.token
  stablehlo.optimization_barrier ()
  %2:2 = "stablehlo.optimization_barrier"(%a, %t) : (tensor<f32>, !stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
