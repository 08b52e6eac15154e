// RUN: halo-opt %s --halo-partition=partitions=4 --allow-unregistered-dialect --split-input-file | FileCheck %s

// The sum of sums is combined once, also where a term is transposed or negated before.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @sums
// CHECK: %[[A:.*]] = stablehlo.dot_general
// CHECK: %[[B:.*]] = stablehlo.dot_general
// CHECK: %[[T:.*]] = stablehlo.transpose %[[B]], dims = [1, 0]
// CHECK: %[[AB:.*]] = stablehlo.add %[[A]], %[[T]]
// CHECK: %[[C:.*]] = stablehlo.dot_general
// CHECK: %[[N:.*]] = stablehlo.negate %[[C]]
// CHECK: %[[ABC:.*]] = stablehlo.add %[[AB]], %[[N]]
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[ABC]])
// CHECK-NOT: stablehlo.all_reduce
// CHECK: return %[[SUM]]
func.func @sums(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %u: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %u, %x, contracting_dims = [0] x [1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.add %0, %2 : tensor<8x8xf32>
  %4 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = stablehlo.negate %4 : tensor<8x8xf32>
  %6 = stablehlo.add %3, %5 : tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}
}

// -----

// What is no sum is added to the combined one, and a sum with several users is combined at once.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
// CHECK-LABEL: func.func @others
// CHECK: %[[A:.*]] = stablehlo.dot_general
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[A]])
// CHECK: %[[R:.*]] = stablehlo.add %[[SUM]], %{{.*}}
// CHECK: %[[B:.*]] = stablehlo.dot_general
// CHECK: %[[TWICE:.*]] = "stablehlo.all_reduce"(%[[B]])
// CHECK: stablehlo.add %[[TWICE]], %[[TWICE]]
func.func @others(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %u: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.add %0, %y : tensor<8x8xf32>
  %2 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = stablehlo.add %2, %2 : tensor<8x8xf32>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
}

// -----

// Sums along different axes are different sums.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @axes
// CHECK-COUNT-2: "stablehlo.all_reduce"
// CHECK: stablehlo.add
// CHECK-NOT: stablehlo.all_reduce
func.func @axes(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %u: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
    %v: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.dot_general %y, %v, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
}
