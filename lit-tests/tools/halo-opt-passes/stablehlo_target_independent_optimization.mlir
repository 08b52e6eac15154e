// RUN: halo-opt %s --stablehlo-target-independent-optimization | FileCheck %s
// RUN: halo-opt %s --stablehlo-target-independent-optimization=fold-float=false | FileCheck %s --check-prefix=INTEGER

// The position is computed, and then is known to the slice.
// CHECK-LABEL: func.func @slice
// CHECK-NEXT: %[[SLICE:.*]] = stablehlo.slice %arg0 [1:3] : (tensor<4xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[SLICE]]
func.func @slice(%a: tensor<4xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %index = stablehlo.add %zero, %one : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %index, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// The captured bound makes the condition known.
// CHECK-LABEL: func.func @loop
// CHECK-NEXT: return %arg0
func.func @loop(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%n = %zero, %i = %x) : tensor<i32>, tensor<f32>
    cond {
      %1 = stablehlo.compare LT, %zero, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.sine %i : tensor<f32>
      stablehlo.return %n, %1 : tensor<i32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}

// CHECK-LABEL: func.func @floats
// CHECK: stablehlo.constant dense<3.000000e+00> : tensor<f32>
// INTEGER-LABEL: func.func @floats
// INTEGER: stablehlo.add
func.func @floats() -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.add %one, %two : tensor<f32>
  return %0 : tensor<f32>
}

// Parts that are constants are computed before they become parts of something
// that is none.
// CHECK-LABEL: func.func @parts
// CHECK-NEXT: %[[C:.*]] = stablehlo.constant dense<[0, 0, 1]> : tensor<3xi32>
// CHECK-NEXT: %[[ALL:.*]] = stablehlo.concatenate %[[C]], %arg0, %arg0, dim = 0
// CHECK-NEXT: return %[[ALL]]
func.func @parts(%x: tensor<3xi32>) -> tensor<9xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reshape %zero : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %one : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %0, %0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.concatenate %2, %1, dim = 0 : (tensor<2xi32>, tensor<1xi32>) -> tensor<3xi32>
  %4 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<6xi32>
  %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<3xi32>, tensor<6xi32>) -> tensor<9xi32>
  return %5 : tensor<9xi32>
}
