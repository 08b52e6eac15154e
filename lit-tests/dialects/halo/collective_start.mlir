// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @groups
// CHECK: %[[TICKET:.*]] = halo.collective_start "stablehlo.all_gather"(%arg0) {channel = 3 : i64, group_size = 2 : i64, grouping = #halo.grouping<flattened_ids>, groups = [array<i64: 0, 1>, array<i64: 2, 3>]} : tensor<4xf32>
// CHECK: return %[[TICKET]] : tensor<i64>
func.func @groups(%x: tensor<4xf32>) -> tensor<i64> {
  %0 = halo.collective_start "stablehlo.all_gather"(%x) {channel = 3 : i64, group_size = 2 : i64, grouping = #halo.grouping<flattened_ids>, groups = [array<i64: 0, 1>, array<i64: 2, 3>]} : tensor<4xf32>
  return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @everybody
// CHECK: halo.collective_start "stablehlo.all_reduce"(%arg0, %arg1) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = []} : tensor<2xi1>, tensor<!quant.uniform<i8:f32, 5.000000e-01>>
func.func @everybody(%x: tensor<2xi1>, %y: tensor<!quant.uniform<i8:f32, 0.5>>) {
  %0 = halo.collective_start "stablehlo.all_reduce"(%x, %y) {channel = 0 : i64, grouping = #halo.grouping<cross_replica>, groups = []} : tensor<2xi1>, tensor<!quant.uniform<i8:f32, 0.5>>
  return
}

// CHECK-LABEL: func.func @groupings
// CHECK: grouping = #halo.grouping<cross_partition>, groups = [array<i64>, array<i64: 0>]
// CHECK: grouping = #halo.grouping<cross_replica_and_partition>
func.func @groupings() {
  %0 = halo.collective_start "stablehlo.all_to_all"() {channel = 1 : i64, grouping = #halo.grouping<cross_partition>, groups = [array<i64>, array<i64: 0>]}
  %1 = halo.collective_start "stablehlo.reduce_scatter"() {channel = 1 : i64, grouping = #halo.grouping<cross_replica_and_partition>, groups = []}
  return
}
