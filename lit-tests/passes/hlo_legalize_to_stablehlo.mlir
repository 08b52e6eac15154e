// RUN: halo-opt %s --hlo-legalize-to-stablehlo | FileCheck %s
// RUN: halo-run %s --entry=functions --input=0.5 2>/dev/null | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @functions
//   CHECK-NOT:   mhlo.
//       CHECK:   %[[ERF:.*]] = chlo.erf %arg0 : tensor<f32> -> tensor<f32>
//       CHECK:   %[[SINH:.*]] = chlo.sinh %arg0 : tensor<f32> -> tensor<f32>
//       CHECK:   return %[[ERF]], %[[SINH]]

// math.erf(0.5) and math.sinh(0.5)
// VALUES: dense<0.5204998{{.*}}> : tensor<f32>
// VALUES: dense<0.5210953{{.*}}> : tensor<f32>
func.func @functions(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = mhlo.copy %x : tensor<f32>
  %1 = mhlo.erf %0 : tensor<f32>
  %2 = mhlo.sinh %0 : tensor<f32>
  return %1, %2 : tensor<f32>, tensor<f32>
}
