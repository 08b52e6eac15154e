// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @results(
// CHECK: "stablehlo.if"(%arg0) ({
// CHECK: stablehlo.return
// CHECK: }, {
// CHECK: stablehlo.return
// CHECK: }) : (tensor<i1>) -> ()
// CHECK: %0 = "stablehlo.if"(%arg0) ({
// CHECK: stablehlo.return %arg1 : tensor<2xf32>
// CHECK: }, {
// CHECK: %2 = stablehlo.negate %arg1 : tensor<2xf32>
// CHECK: stablehlo.return %2 : tensor<2xf32>
// CHECK: }) {tag} : (tensor<i1>) -> tensor<2xf32>
// CHECK: %1:2 = "stablehlo.if"(%arg0) ({
// CHECK: stablehlo.return %arg2, %arg3 : tensor<?xf32>, !stablehlo.token
// CHECK: }, {
// CHECK: stablehlo.return %arg1, %arg3 : tensor<2xf32>, !stablehlo.token
// CHECK: }) : (tensor<i1>) -> (tensor<?xf32>, !stablehlo.token)
func.func @results(%p: tensor<i1>, %a: tensor<2xf32>, %d: tensor<?xf32>, %t: !stablehlo.token) {
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    %2 = stablehlo.negate %a : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }) {tag} : (tensor<i1>) -> tensor<2xf32>
  %1:2 = "stablehlo.if"(%p) ({
    stablehlo.return %d, %t : tensor<?xf32>, !stablehlo.token
  }, {
    stablehlo.return %a, %t : tensor<2xf32>, !stablehlo.token
  }) : (tensor<i1>) -> (tensor<?xf32>, !stablehlo.token)
  return
}
