// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @token(
// CHECK: %0 = stablehlo.create_token : !stablehlo.token
// CHECK: %1 = stablehlo.create_token {tag} : !stablehlo.token
// CHECK: %2 = stablehlo.create_token : !stablehlo.token
func.func @token() {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.create_token {tag} : !stablehlo.token
  %2 = "stablehlo.create_token"() : () -> !stablehlo.token
  return
}
