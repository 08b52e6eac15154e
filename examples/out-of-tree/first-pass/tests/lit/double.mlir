// RUN: first-opt %s --double | FileCheck %s

// CHECK-LABEL: @same(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[TWO:.*]] = stablehlo.constant dense<2.000000e+00>
// CHECK: stablehlo.multiply %[[X]], %[[TWO]]
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
