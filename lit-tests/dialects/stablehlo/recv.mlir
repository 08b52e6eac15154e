// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0:2 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
// CHECK: %1 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (!stablehlo.token) -> !stablehlo.token
// CHECK: %2:3 = "stablehlo.recv"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> {tag} : (!stablehlo.token) -> (tensor<2x2xi8>, tensor<i1>, !stablehlo.token)
func.func @attributes(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %1 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (!stablehlo.token) -> !stablehlo.token
  %2:3 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> {tag} : (!stablehlo.token) -> (tensor<2x2xi8>, tensor<i1>, !stablehlo.token)
  return
}
