// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @body(
// CHECK: %0 = "stablehlo.async_start"(%arg0) ({
// CHECK: ^bb0(%arg1: tensor<4xf32>):
// CHECK: %2 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: stablehlo.return %2 : tensor<4xf32>
// CHECK: }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
// CHECK: %1 = "stablehlo.async_start"(%arg0, %arg0) ({
// CHECK: ^bb0(%arg1: tensor<4xf32>, %arg2: tensor<4xf32>):
// CHECK: %2:2 = "stablehlo.all_gather"(%arg1, %arg2) <{all_gather_dim = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK: stablehlo.return %2#0, %2#1 : tensor<8xf32>, tensor<8xf32>
// CHECK: }) {tag} : (tensor<4xf32>, tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>, tensor<8xf32>>
func.func @body(%a: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_start"(%a, %a) ({
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    %2:2 = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    stablehlo.return %2#0, %2#1 : tensor<8xf32>, tensor<8xf32>
  }) {tag} : (tensor<4xf32>, tensor<4xf32>) -> !stablehlo.future<tensor<8xf32>, tensor<8xf32>>
  return
}
