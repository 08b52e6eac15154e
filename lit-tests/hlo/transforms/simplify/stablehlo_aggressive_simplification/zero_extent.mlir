// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// CHECK-LABEL: func.func @results
// CHECK-DAG: %[[F:.*]] = stablehlo.constant dense<> : tensor<2x0xf32>
// CHECK-DAG: %[[C:.*]] = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
// CHECK-DAG: %[[P:.*]] = stablehlo.constant dense<> : tensor<0xi1>
// CHECK: return %[[F]], %[[C]], %[[P]]
func.func @results(%x: tensor<2x0xf32>, %c: tensor<0xcomplex<f32>>) -> (tensor<2x0xf32>, tensor<0xcomplex<f32>>, tensor<0xi1>) {
  %0 = stablehlo.exponential %x : tensor<2x0xf32>
  %1 = stablehlo.multiply %c, %c : tensor<0xcomplex<f32>>
  %2 = stablehlo.compare EQ, %c, %c : (tensor<0xcomplex<f32>>, tensor<0xcomplex<f32>>) -> tensor<0xi1>
  return %0, %1, %2 : tensor<2x0xf32>, tensor<0xcomplex<f32>>, tensor<0xi1>
}

// CHECK-LABEL: func.func @operands
// CHECK: %[[EMPTY:.*]] = stablehlo.constant dense<> : tensor<4x0xf32>
// CHECK: %[[DOT:.*]] = stablehlo.dot_general %[[EMPTY]], %{{.*}}, contracting_dims = [1] x [0]
// CHECK: return %[[DOT]]
func.func @operands(%x: tensor<4x0xf32>, %y: tensor<0x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x0xf32>, tensor<0x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// A call may do more than give its result.
// CHECK-LABEL: func.func @effects
// CHECK: %[[EMPTY:.*]] = stablehlo.constant dense<> : tensor<0xf32>
// CHECK: %[[CALL:.*]] = stablehlo.custom_call @f(%arg0) {has_side_effect = true}
// CHECK-NOT: @g
// CHECK: return %[[CALL]], %[[EMPTY]]
func.func @effects(%x: tensor<0xf32>) -> (tensor<0xf32>, tensor<0xf32>) {
  %0 = stablehlo.custom_call @f(%x) {has_side_effect = true} : (tensor<0xf32>) -> tensor<0xf32>
  %1 = stablehlo.custom_call @g(%x) {has_side_effect = false} : (tensor<0xf32>) -> tensor<0xf32>
  return %0, %1 : tensor<0xf32>, tensor<0xf32>
}

// Dynamic shapes do not say that there is nothing.
// CHECK-LABEL: func.func @dynamic
// CHECK: stablehlo.exponential
func.func @dynamic(%x: tensor<?x0xf32>) -> tensor<?x0xf32> {
  %0 = stablehlo.exponential %x : tensor<?x0xf32>
  return %0 : tensor<?x0xf32>
}

// What a loop hands on unchanged is captured, but not where it is nothing.
// CHECK-LABEL: func.func @loop
// CHECK: %[[EMPTY:.*]] = stablehlo.constant dense<> : tensor<7x0xf32>
// CHECK: %[[LOOP:.*]] = stablehlo.while
// CHECK: return %[[LOOP]], %[[EMPTY]]
func.func @loop(%x: tensor<7x0xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<7x0xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %one, %y = %x) : tensor<i32>, tensor<7x0xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %1, %y : tensor<i32>, tensor<7x0xf32>
    }
  return %0#0, %0#1 : tensor<i32>, tensor<7x0xf32>
}
