// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: %2 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<4x2xf32>) -> tensor<2x2xf32>
// CHECK: %1 = "stablehlo.reduce_scatter"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
// CHECK: ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
// CHECK: stablehlo.return %arg3 : tensor<i32>
// CHECK: }) {tag} : (tensor<?x4xi32>) -> tensor<?x2xi32>
func.func @attributes(%a: tensor<4x2xf32>, %b: tensor<?x4xi32>) {
  %0 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x2xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.reduce_scatter"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %y : tensor<i32>
  }) {tag} : (tensor<?x4xi32>) -> tensor<?x2xi32>
  return
}
