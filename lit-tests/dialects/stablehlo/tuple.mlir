// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @elements(
// CHECK: %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<f32>, !stablehlo.token>
// CHECK: %1 = stablehlo.tuple %0, %arg2 : tuple<tuple<tensor<f32>, !stablehlo.token>, tensor<?x3xi8>>
// CHECK: %2 = stablehlo.tuple : tuple<>
// CHECK: %3 = stablehlo.tuple %arg0 {tag} : tuple<tensor<f32>>
// CHECK: %4 = stablehlo.tuple %arg0, %arg0 : tuple<tensor<f32>, tensor<f32>>
func.func @elements(%a: tensor<f32>, %t: !stablehlo.token, %d: tensor<?x3xi8>) {
  %0 = stablehlo.tuple %a, %t : tuple<tensor<f32>, !stablehlo.token>
  %1 = stablehlo.tuple %0, %d : tuple<tuple<tensor<f32>, !stablehlo.token>, tensor<?x3xi8>>
  %2 = stablehlo.tuple  : tuple<>
  %3 = stablehlo.tuple %a {tag} : tuple<tensor<f32>>
  %4 = "stablehlo.tuple"(%a, %a) : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
  return
}
