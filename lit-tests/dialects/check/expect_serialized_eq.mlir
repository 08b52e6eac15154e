// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @probes(
// CHECK: check.expect_serialized_eq %arg0, probe_id = "p" : tensor<2xf32>
// CHECK: check.expect_serialized_eq %arg1, probe_id = "p", iter = 2 : tensor<?xi8>
// CHECK: check.expect_serialized_eq %arg0, probe_id = "q", iter = 1 : tensor<2xf32>
func.func @probes(%a: tensor<2xf32>, %b: tensor<?xi8>) {
  check.expect_serialized_eq %a, probe_id = "p" : tensor<2xf32>
  check.expect_serialized_eq %b, probe_id = "p", iter = 2 : tensor<?xi8>
  "check.expect_serialized_eq"(%a) <{iter = 1 : ui32, probe_id = "q"}> : (tensor<2xf32>) -> ()
  return
}
