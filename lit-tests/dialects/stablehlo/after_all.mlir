// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tokens(
// CHECK: %0 = stablehlo.after_all %arg0, %arg1 : !stablehlo.token
// CHECK: %1 = stablehlo.after_all %arg0 : !stablehlo.token
// CHECK: %2 = stablehlo.after_all : !stablehlo.token
// CHECK: %3 = stablehlo.after_all %arg0, %arg1 {tag} : !stablehlo.token
// CHECK: %4 = stablehlo.after_all %arg0, %arg1 : !stablehlo.token
func.func @tokens(%a: !stablehlo.token, %b: !stablehlo.token) {
  %0 = stablehlo.after_all %a, %b : !stablehlo.token
  %1 = stablehlo.after_all %a : !stablehlo.token
  %2 = stablehlo.after_all  : !stablehlo.token
  %3 = stablehlo.after_all %a, %b {tag} : !stablehlo.token
  %4 = "stablehlo.after_all"(%a, %b) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  return
}
