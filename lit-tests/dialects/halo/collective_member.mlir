// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @member
// CHECK: %{{.*}}:2 = halo.collective_member "stablehlo.all_reduce" %arg0[%arg1] : tensor<4xf32>, tensor<ui8>
// CHECK: halo.collective_member "stablehlo.all_reduce" %arg0[%arg1]{{$}}
func.func @member(%ticket: tensor<i64>, %place: tensor<i64>) -> (tensor<4xf32>, tensor<ui8>) {
  %0:2 = halo.collective_member "stablehlo.all_reduce" %ticket[%place] : tensor<4xf32>, tensor<ui8>
  halo.collective_member "stablehlo.all_reduce" %ticket[%place]
  return %0#0, %0#1 : tensor<4xf32>, tensor<ui8>
}
