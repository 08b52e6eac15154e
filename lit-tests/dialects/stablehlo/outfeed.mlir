// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @inputs(
// CHECK: %0 = "stablehlo.outfeed"(%arg2) <{outfeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
// CHECK: %1 = "stablehlo.outfeed"(%arg0, %arg1, %arg2) <{outfeed_config = "queue"}> {tag} : (tensor<4xf32>, tensor<?xi8>, !stablehlo.token) -> !stablehlo.token
func.func @inputs(%a: tensor<4xf32>, %b: tensor<?xi8>, %t: !stablehlo.token) {
  %0 = "stablehlo.outfeed"(%t) : (!stablehlo.token) -> !stablehlo.token
  %1 = "stablehlo.outfeed"(%a, %b, %t) <{outfeed_config = "queue"}> {tag} : (tensor<4xf32>, tensor<?xi8>, !stablehlo.token) -> !stablehlo.token
  return
}
