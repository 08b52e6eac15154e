// RUN: halo-opt %s --shardy-legalize-to-stablehlo --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}}
// CHECK-NOT: sdy.mesh @mesh
// CHECK-LABEL: func.func public @main
module {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x16xf32> {
    // CHECK: %[[ONE:.*]] = stablehlo.custom_call @Sharding(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}p1, {"y"}]>]>}
    %0 = sdy.sharding_constraint %a <@mesh, [{"x", ?}p1, {"y"}]> : tensor<8x16xf32>
    // CHECK: stablehlo.custom_call @xla.sdy.ShardingGroup(%[[ONE]]) {has_side_effect = true, sdy.sharding_group_id = 2 : i64}
    sdy.sharding_group %0 group_id=2 : tensor<8x16xf32>
    // CHECK: %[[TILE:.*]] = stablehlo.custom_call @SPMDFullToShardShape(%[[ONE]])
    // CHECK-SAME: sdy.in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, sdy.manual_axes = #sdy<manual_axes{"x", "y"}>
    // CHECK: %[[SINE:.*]] = stablehlo.sine %[[TILE]] : tensor<4x8xf32>
    // CHECK: %[[ALL:.*]] = stablehlo.custom_call @SPMDShardToFullShape(%[[SINE]])
    // CHECK-SAME: sdy.out_shardings
    // CHECK: return %[[ALL]]
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%b: tensor<4x8xf32>) {
      %2 = stablehlo.sine %b : tensor<4x8xf32>
      sdy.return %2 : tensor<4x8xf32>
    } : (tensor<8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'#sdy.sharding<@mesh>' is not an attribute of Shardy that is expected here}}
  %0 = sdy.sharding_constraint %a <@mesh> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has 1 operands and 0 shardings of them}}
  %0 = sdy.manual_computation(%a) in_shardings=[] out_shardings=[<@mesh, [{}]>] manual_axes={} (%b: tensor<8xf32>) {
    sdy.return %b : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Groups of a collective along axes of a mesh become lists of processes.
// CHECK-LABEL: func.func @groups
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @groups(%a: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: "stablehlo.all_reduce"
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>,
    use_global_device_ids
  } : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
