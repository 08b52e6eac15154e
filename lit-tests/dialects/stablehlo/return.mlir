// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
// CHECK: "stablehlo.if"(%arg0) ({
// CHECK: stablehlo.return
// CHECK: }, {
// CHECK: stablehlo.return
// CHECK: }) : (tensor<i1>) -> ()
// CHECK: %0:2 = "stablehlo.if"(%arg0) ({
// CHECK: stablehlo.return %arg1, %arg2 : tensor<2xf32>, !stablehlo.token
// CHECK: }, {
// CHECK: stablehlo.return %arg1, %arg2 {tag} : tensor<2xf32>, !stablehlo.token
// CHECK: }) : (tensor<i1>) -> (tensor<2xf32>, !stablehlo.token)
func.func @values(%p: tensor<i1>, %a: tensor<2xf32>, %t: !stablehlo.token) {
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    "stablehlo.return"() : () -> ()
  }) : (tensor<i1>) -> ()
  %0:2 = "stablehlo.if"(%p) ({
    stablehlo.return %a, %t : tensor<2xf32>, !stablehlo.token
  }, {
    "stablehlo.return"(%a, %t) {tag} : (tensor<2xf32>, !stablehlo.token) -> ()
  }) : (tensor<i1>) -> (tensor<2xf32>, !stablehlo.token)
  return
}
