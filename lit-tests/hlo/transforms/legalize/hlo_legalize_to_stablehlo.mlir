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

// What the exporter writes for `dynamic-reshape`.

// CHECK-LABEL: func.func @dynamic_reshape
//       CHECK:   %[[ROWS:.*]] = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
//       CHECK:   %[[COLUMNS:.*]] = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
//       CHECK:   %[[SIZES:.*]] = stablehlo.concatenate %[[ROWS]], %[[COLUMNS]], dim = 0
//       CHECK:   stablehlo.dynamic_reshape %arg0, %[[SIZES]]
//  CHECK-SAME:     -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
func.func @dynamic_reshape(%x: tensor<?xf32, #stablehlo.bounds<8>>, %m: tensor<i32>,
                           %n: tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>> {
  %0 = "mhlo.unknown"(%x, %m, %n) : (tensor<?xf32, #stablehlo.bounds<8>>, tensor<i32>, tensor<i32>)
      -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  return %0 : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
}
