// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @wait
// CHECK: %[[PLACE:.*]], %[[SIZE:.*]] = halo.collective_wait "stablehlo.all_gather" %arg0
// CHECK: return %[[PLACE]], %[[SIZE]] : tensor<i64>, tensor<i64>
func.func @wait(%ticket: tensor<i64>) -> (tensor<i64>, tensor<i64>) {
  %place, %size = halo.collective_wait "stablehlo.all_gather" %ticket
  return %place, %size : tensor<i64>, tensor<i64>
}
