// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// CHECK-LABEL: func.func @tuples
// CHECK-SAME: %[[X:.*]]: tensor<f32>, %[[Y:.*]]: tensor<i32>, %[[T:.*]]: tuple<tensor<f32>, tensor<i32>>
// CHECK: %[[SWAPPED:.*]] = stablehlo.tuple %{{.*}}, %{{.*}} : tuple<tensor<i32>, tensor<f32>>
// CHECK: return %[[Y]], %[[T]], %[[SWAPPED]]
func.func @tuples(%x: tensor<f32>, %y: tensor<i32>, %t: tuple<tensor<f32>, tensor<i32>>) -> (tensor<i32>, tuple<tensor<f32>, tensor<i32>>, tuple<tensor<i32>, tensor<f32>>) {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %2 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  %3 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  %4 = stablehlo.tuple %2, %3 : tuple<tensor<f32>, tensor<i32>>
  %5 = stablehlo.tuple %3, %2 : tuple<tensor<i32>, tensor<f32>>
  return %1, %4, %5 : tensor<i32>, tuple<tensor<f32>, tensor<i32>>, tuple<tensor<i32>, tensor<f32>>
}

// What a loop carries unchanged is read from outside.
// CHECK-LABEL: func.func @invariants
// CHECK-SAME: %[[N:.*]]: tensor<i32>, %[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>
// CHECK: %[[LOOP:.*]]:2 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[ACC:.*]] = %[[Y]]) : tensor<i32>, tensor<2xf32> attributes {mhlo.sharding = "s"}
// CHECK-NEXT: cond {
// CHECK-NEXT: stablehlo.compare LT, %[[I]], %[[N]]
// CHECK: stablehlo.add %[[ACC]], %[[X]]
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<2xf32>
// CHECK: return %[[LOOP]]#1, %[[X]]
func.func @invariants(%n: tensor<i32>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:4 = stablehlo.while(%limit = %n, %i = %zero, %step = %x, %acc = %y) : tensor<i32>, tensor<i32>, tensor<2xf32>, tensor<2xf32> attributes {mhlo.sharding = "s"}
    cond {
      %1 = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      %2 = stablehlo.add %acc, %step : tensor<2xf32>
      stablehlo.return %n, %1, %step, %2 : tensor<i32>, tensor<i32>, tensor<2xf32>, tensor<2xf32>
    }
  return %0#3, %0#2 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @backend_config
// CHECK: stablehlo.custom_call @f(%arg0) {api_version = 4 : i32, backend_config = {n = 2 : i32}}
// CHECK: stablehlo.custom_call @g(%arg0) {{.*}}mhlo.backend_config
func.func @backend_config(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.custom_call @f(%x) {mhlo.backend_config = {n = 2 : i32}} : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.custom_call @g(%x) {backend_config = "kept", mhlo.backend_config = {n = 2 : i32}} : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
