// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @branches(
// CHECK: %0 = "stablehlo.case"(%arg0) ({
// CHECK: stablehlo.return %arg1 : tensor<2xf32>
// CHECK: }) : (tensor<i32>) -> tensor<2xf32>
// CHECK: %1:2 = "stablehlo.case"(%arg0) ({
// CHECK: stablehlo.return %arg1, %arg2 : tensor<2xf32>, !stablehlo.token
// CHECK: }, {
// CHECK: %2 = stablehlo.negate %arg1 : tensor<2xf32>
// CHECK: stablehlo.return %2, %arg2 : tensor<2xf32>, !stablehlo.token
// CHECK: }, {
// CHECK: stablehlo.return %arg1, %arg2 : tensor<2xf32>, !stablehlo.token
// CHECK: }) {tag} : (tensor<i32>) -> (tensor<2xf32>, !stablehlo.token)
func.func @branches(%i: tensor<i32>, %a: tensor<2xf32>, %t: !stablehlo.token) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %1:2 = "stablehlo.case"(%i) ({
    stablehlo.return %a, %t : tensor<2xf32>, !stablehlo.token
  }, {
    %2 = stablehlo.negate %a : tensor<2xf32>
    stablehlo.return %2, %t : tensor<2xf32>, !stablehlo.token
  }, {
    stablehlo.return %a, %t : tensor<2xf32>, !stablehlo.token
  }) {tag} : (tensor<i32>) -> (tensor<2xf32>, !stablehlo.token)
  return
}
