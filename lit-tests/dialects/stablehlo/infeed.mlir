// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.infeed"(%arg0) <{infeed_config = ""}> : (!stablehlo.token) -> !stablehlo.token
// CHECK: %1:2 = "stablehlo.infeed"(%arg0) <{infeed_config = "queue", layout = {{\[\[}}0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
// CHECK: %2:3 = "stablehlo.infeed"(%arg0) <{infeed_config = "", layout = {{\[\[}}0, 1], []]}> {tag} : (!stablehlo.token) -> (tensor<4x2xi8>, tensor<i1>, !stablehlo.token)
func.func @attributes(%t: !stablehlo.token) {
  %0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> !stablehlo.token
  %1:2 = "stablehlo.infeed"(%t) <{infeed_config = "queue", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %2:3 = "stablehlo.infeed"(%t) <{infeed_config = "", layout = [[0, 1], []]}> {tag} : (!stablehlo.token) -> (tensor<4x2xi8>, tensor<i1>, !stablehlo.token)
  return
}
