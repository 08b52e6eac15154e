// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @groups(
// CHECK: %0 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: %1 = "stablehlo.cross-replica-sum"(%arg1) <{replica_groups = dense<> : tensor<0x0xi64>}> {tag} : (tensor<?xi32>) -> tensor<?xi32>
func.func @groups(%a: tensor<4x2xf32>, %b: tensor<?xi32>) {
  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = "stablehlo.cross-replica-sum"(%b) <{replica_groups = dense<> : tensor<0x0xi64>}> {tag} : (tensor<?xi32>) -> tensor<?xi32>
  return
}
