// RUN: halo-opt %s --stablehlo-legalize-composite-to-call | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: halo-opt %s --stablehlo-legalize-composite-to-call=except=ns.keep,ns.other | FileCheck %s --check-prefixes=CHECK,EXCEPT

// CHECK-LABEL: func.func @main
// CHECK: %[[F:.*]]:2 = call @f(%arg0) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
// ALL: %[[G:.*]] = call @g(%[[F]]#1) : (tensor<f32>) -> tensor<f32>
// EXCEPT: %[[G:.*]] = stablehlo.composite "ns.keep" %[[F]]#1
// CHECK: return %[[G]]
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0:2 = stablehlo.composite "ns.f" %x {decomposition = @f, composite_attributes = {n = 1 : i64}, version = 3 : i32} : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %1 = stablehlo.composite "ns.keep" %0#1 {decomposition = @g} : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

func.func private @f(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.sine %x : tensor<f32>
  return %x, %0 : tensor<f32>, tensor<f32>
}

func.func private @g(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
