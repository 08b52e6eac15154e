// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.send"(%arg0, %arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK: %1 = "stablehlo.send"(%arg0, %arg1, %arg2) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (tensor<4xf32>, tensor<?xi8>, !stablehlo.token) -> !stablehlo.token
// CHECK: %2 = "stablehlo.send"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false, source_target_pairs = dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>}> {tag} : (!stablehlo.token) -> !stablehlo.token
func.func @attributes(%a: tensor<4xf32>, %b: tensor<?xi8>, %t: !stablehlo.token) {
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %1 = "stablehlo.send"(%a, %b, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (tensor<4xf32>, tensor<?xi8>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.send"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> {tag} : (!stablehlo.token) -> !stablehlo.token
  return
}
