// RUN: vendor-run %s --input=2147483647 --input=1 --expect=2147483647
// RUN: vendor-run %s --input=-2147483648 --input=-1 --expect=-2147483648
// RUN: vendor-run %s --backend=interpreter --input=2147483647 --input=1 --expect=2147483647
// RUN: vendor-run %s --entry=tanh --input=1.0 --expect=0.777777778
// RUN: vendor-run %s --entry=tanh --backend=interpreter --input=1.0 --expect=0.761594156
// RUN: vendor-run %s --compile-to=linalg | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: arith.trunci
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = vendor.saturating_add %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
