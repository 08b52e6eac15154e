// Arguments that are terms of a sum are added up; a result of terms is the tile on the first
// partition along the axis, and zero on the others.
module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
// CHECK-LABEL: func.func @terms
// CHECK-SAME: (%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
func.func @terms(
    %a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y"}>},
    %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>},
        tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], unreduced={"y"}>}) {
  // CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%arg0)
  // CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1], [2, 3]]>
  // CHECK: stablehlo.add
  // CHECK: %[[SINE:.*]] = stablehlo.sine %[[SUM]]
  // CHECK: %[[TERMS:.*]] = stablehlo.constant dense<[0, 0, 1, 1]> : tensor<4xi64>
  // CHECK: %[[OWN:.*]] = stablehlo.dynamic_slice %[[TERMS]]
  // CHECK: %[[IS_FIRST:.*]] = stablehlo.compare EQ, %{{.*}}, %{{.*}} : (tensor<i64>, tensor<i64>) -> tensor<i1>
  // CHECK: %[[TERM:.*]] = stablehlo.select %[[IS_FIRST]], %[[SINE]], %{{.*}}
  // A term that is returned as it came is neither added nor cut.
  // CHECK: return %[[TERM]], %arg1
  %0 = stablehlo.sine %a : tensor<8xf32>
  return %0, %b : tensor<8xf32>, tensor<8xf32>
}
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(halo-partition{entry= partitions=4 replicas=1})",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
