// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<{{\[\[}}0], [1]]> : tensor<2x1xi64>}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
// CHECK: stablehlo.return %2 : tensor<f32>
// CHECK: }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<{{\[\[}}0, 2], [1, -1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
// CHECK: ^bb0(%arg2: tensor<i8>, %arg3: tensor<i8>):
// CHECK: %2 = stablehlo.maximum %arg2, %arg3 : tensor<i8>
// CHECK: stablehlo.return %2 : tensor<i8>
// CHECK: }) {tag} : (tensor<?xi8>) -> tensor<?xi8>
func.func @attributes(%a: tensor<4x2xf32>, %b: tensor<?xi8>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    %2 = stablehlo.maximum %x, %y : tensor<i8>
    stablehlo.return %2 : tensor<i8>
  }) {tag} : (tensor<?xi8>) -> tensor<?xi8>
  return
}

// CHECK-LABEL: func.func @two_operands(
// CHECK: %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: stablehlo.return %arg2 : tensor<f32>
// CHECK: }) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
func.func @two_operands(%a: tensor<4xf32>, %b: tensor<f32>) {
  %0:2 = "stablehlo.all_reduce"(%a, %b) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}
