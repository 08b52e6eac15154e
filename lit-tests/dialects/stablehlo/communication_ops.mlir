// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Ops between devices and with the host.

// CHECK-LABEL: func.func @position(
// CHECK: %0 = stablehlo.replica_id : tensor<ui32>
// CHECK: %1 = stablehlo.partition_id : tensor<ui32>
func.func @position() {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return
}

// CHECK-LABEL: func.func @collectives(
// CHECK: %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK: %1:2 = "stablehlo.all_gather"(%arg0, %arg1) <{all_gather_dim = 1 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>, tensor<4x2xi32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
// CHECK: %2 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<{{\[\[}}0], [1]]> : tensor<2x1xi64>}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
// CHECK: stablehlo.return %8 : tensor<f32>
// CHECK: }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: %3 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
// CHECK: ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
// CHECK: %8 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
// CHECK: stablehlo.return %8 : tensor<f32>
// CHECK: }) : (tensor<4x2xf32>) -> tensor<2x2xf32>
// CHECK: %4 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x2xf32>) -> tensor<2x4xf32>
// CHECK: %5 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: %6 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK: %7 = "stablehlo.cross-replica-sum"(%arg0) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
func.func @collectives(%a: tensor<4x2xf32>, %b: tensor<4x2xi32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x2xf32>) -> tensor<8x2xf32>
  %1:2 = "stablehlo.all_gather"(%a, %b) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>, tensor<4x2xi32>) -> (tensor<4x4xf32>, tensor<4x4xi32>)
  %2 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %8 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %3 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %8 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<4x2xf32>) -> tensor<2x2xf32>
  %4 = "stablehlo.all_to_all"(%a) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %5 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %6 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %7 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: func.func @mesh_axes(
// CHECK: %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>}> : (tensor<4x2xf32>) -> tensor<16x2xf32>
func.func @mesh_axes(%a: tensor<4x2xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>}> : (tensor<4x2xf32>) -> tensor<16x2xf32>
  return
}

// CHECK-LABEL: func.func @asynchronous(
// CHECK: %0 = "stablehlo.async_start"(%arg0) ({
// CHECK: ^bb0(%arg1: tensor<4xf32>):
// CHECK: %2 = "stablehlo.collective_permute"(%arg1) <{source_target_pairs = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: stablehlo.return %2 : tensor<4xf32>
// CHECK: }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
// CHECK: %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
func.func @asynchronous(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<4xf32>):
    %2 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @host(
// CHECK: %0:2 = "stablehlo.infeed"(%arg1) <{infeed_config = "queue", layout = {{\[\[}}0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
// CHECK: %1 = "stablehlo.outfeed"(%arg0, %arg1) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK: %2 = "stablehlo.send"(%arg0, %arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
// CHECK: %3:2 = "stablehlo.recv"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
func.func @host(%a: tensor<4xf32>, %t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "queue", layout = [[0]]}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %1 = "stablehlo.outfeed"(%a, %t) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return
}

// CHECK-LABEL: func.func @roots(
// CHECK: %0 = "stablehlo.collective_reduce"(%arg0, %arg1) <{has_dynamic_root, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
// CHECK: %1 = "stablehlo.collective_broadcast"(%arg0, %arg1) <{has_dynamic_root, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
func.func @roots(%a: tensor<4xf32>, %root: tensor<1xi32>) {
  %0 = "stablehlo.collective_reduce"(%a, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_broadcast"(%a, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return
}
