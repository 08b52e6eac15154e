// RUN: halo-opt %s --stablehlo-legalize-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @padded
// CHECK: %[[FILLED:.*]] = linalg.fill
// CHECK: %[[RESULT:.*]] = scf.for %[[WINDOW:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[CARRIED:.*]] = %[[FILLED]]) -> (tensor<7xf32>)
// CHECK: %[[FOUND:.*]]:3 = scf.for {{.*}} -> (i1, f32, index)
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[PLACE:.*]], %{{.*}} : index
// CHECK: scf.if %[[INSIDE]] -> (i1, f32, index)
// CHECK: tensor.extract %arg0[%[[PLACE]]]
// CHECK: arith.cmpf oge
// CHECK: scf.if %[[FOUND]]#0 -> (tensor<7xf32>)
// CHECK: %[[OLD:.*]] = tensor.extract %[[CARRIED]][%[[FOUND]]#2]
// CHECK: %[[ADDED:.*]] = tensor.extract %arg1[%[[WINDOW]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[ADDED]], %[[OLD]] : f32
// CHECK: tensor.insert %[[SUM]] into %[[CARRIED]][%[[FOUND]]#2]
// CHECK: } {halo.scatter = #halo.scatter<unique>}
// CHECK: return %[[RESULT]]
func.func @padded(%x: tensor<7xf32>, %s: tensor<4xf32>, %init: tensor<f32>) -> tensor<7xf32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %init) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7xf32>, tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// CHECK-LABEL: func @number
// CHECK-NOT: halo.scatter
// CHECK: return
func.func @number(%x: tensor<i32>, %s: tensor<i32>, %init: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %init) <{window_dimensions = array<i64>, window_strides = array<i64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
