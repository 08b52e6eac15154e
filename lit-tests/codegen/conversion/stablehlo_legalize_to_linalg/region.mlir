// RUN: halo-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @control_flow
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0(%[[IN:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[LIMIT:.*]] = tensor.extract %arg1[] : tensor<i32>
// CHECK-NEXT: %[[LOOP:.*]]:2 = scf.while (%{{.*}} = %[[IN]], %{{.*}} = %[[LIMIT]]) : (i32, i32) -> (i32, i32)
// CHECK: %[[CHOSEN:.*]] = scf.if %{{.*}} -> (i32)
// CHECK-NEXT: scf.yield %[[LOOP]]#0 : i32
// CHECK: linalg.yield %[[CHOSEN]] : i32
func.func @control_flow(%x: tensor<4xi32>, %limit: tensor<i32>) -> tensor<4xi32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%i: tensor<i32>):
    %1:2 = stablehlo.while(%p = %i, %q = %limit) : tensor<i32>, tensor<i32>
    cond {
      %3 = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %3 = stablehlo.add %p, %p : tensor<i32>
      stablehlo.return %3, %q : tensor<i32>, tensor<i32>
    }
    %2 = "stablehlo.case"(%i) ({
      stablehlo.return %1#0 : tensor<i32>
    }, {
      %3 = stablehlo.negate %1#0 : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
