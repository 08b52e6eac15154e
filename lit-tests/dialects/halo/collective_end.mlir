// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @end
// CHECK: halo.collective_end "stablehlo.collective_permute" %arg0
func.func @end(%ticket: tensor<i64>) {
  halo.collective_end "stablehlo.collective_permute" %ticket
  return
}
