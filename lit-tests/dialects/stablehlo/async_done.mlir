// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @results(
// CHECK: %0 = "stablehlo.async_done"(%arg0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
// CHECK: %1:2 = "stablehlo.async_done"(%arg1) {tag} : (!stablehlo.future<tensor<4xf32>, tensor<i8>>) -> (tensor<4xf32>, tensor<i8>)
func.func @results(%a: !stablehlo.future<tensor<4xf32>>, %b: !stablehlo.future<tensor<4xf32>, tensor<i8>>) {
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  %1:2 = "stablehlo.async_done"(%b) {tag} : (!stablehlo.future<tensor<4xf32>, tensor<i8>>) -> (tensor<4xf32>, tensor<i8>)
  return
}
