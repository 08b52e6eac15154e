// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @id(
// CHECK: %0 = OP : tensor<ui32>
// CHECK: %1 = OP {tag} : tensor<ui32>
// CHECK: %2 = OP : tensor<ui32>
func.func @id() {
  %0 = OP : tensor<ui32>
  %1 = OP {tag} : tensor<ui32>
  %2 = "OP"() : () -> tensor<ui32>
  return
}
