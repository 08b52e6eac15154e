// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
// CHECK: %0 = interpreter.probe %arg0, probe_id = "p" : tensor<2xf32>
// CHECK: %1 = interpreter.probe %arg1, probe_id = "q" {tag} : tensor<?xi1>
// CHECK: %2 = interpreter.probe %arg0, probe_id = "r" : tensor<2xf32>
func.func @values(%a: tensor<2xf32>, %b: tensor<?xi1>) {
  %0 = interpreter.probe %a, probe_id = "p" : tensor<2xf32>
  %1 = interpreter.probe %b, probe_id = "q" {tag} : tensor<?xi1>
  %2 = "interpreter.probe"(%a) <{probe_id = "r"}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
