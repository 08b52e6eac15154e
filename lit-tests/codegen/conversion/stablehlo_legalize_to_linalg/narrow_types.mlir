// RUN: halo-opt %s --stablehlo-legalize-to-linalg --split-input-file | FileCheck %s

// Narrow floats are bytes in memory, and f32 in arithmetic.

// CHECK-LABEL: func.func @add
//  CHECK-SAME:   (%{{.*}}: tensor<4xi8>, %{{.*}}: tensor<4xi8>) -> tensor<4xi8>
//       CHECK:   linalg.generic
//       CHECK:     arith.extui %{{.*}} : i8 to i32
//       CHECK:     arith.addf %{{.*}}, %{{.*}} : f32
//       CHECK:     %[[BYTE:.*]] = arith.trunci %{{.*}} : i32 to i8
//       CHECK:     linalg.yield %[[BYTE]] : i8
func.func @add(%a: tensor<4xf8E5M2>, %b: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  %0 = stablehlo.add %a, %b : tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}

// -----

// What moves elements moves bytes.

// CHECK-LABEL: func.func @reverse
//   CHECK-NOT:   arith.ext
//       CHECK:   linalg.yield %{{.*}} : i8
func.func @reverse(%a: tensor<4xf4E2M1FN>) -> tensor<4xf4E2M1FN> {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<4xf4E2M1FN>
  return %0 : tensor<4xf4E2M1FN>
}

// -----

// Integers of less than a byte are extended with their sign.

// CHECK-LABEL: func.func @narrow_integer
//       CHECK:   arith.constant dense<[-8, 7]> : tensor<2xi8>
//       CHECK:   arith.trunci %{{.*}} : i8 to i4
//       CHECK:   arith.addi %{{.*}}, %{{.*}} : i4
//       CHECK:   arith.extsi %{{.*}} : i4 to i8
func.func @narrow_integer(%a: tensor<2xi4>) -> tensor<2xi4> {
  %0 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %1 = stablehlo.add %a, %0 : tensor<2xi4>
  return %1 : tensor<2xi4>
}

// -----

// A product is one of f32, and rounded at its end.

// CHECK-LABEL: func.func @dot
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3xf32>)
//       CHECK:   linalg.generic
//       CHECK:     arith.mulf
//       CHECK:     arith.addf
//       CHECK:   linalg.generic {{.*}} outs(%{{.*}} : tensor<2x2xi8>)
func.func @dot(%a: tensor<2x3xf8E4M3FN>, %b: tensor<3x2xf8E4M3FN>) -> tensor<2x2xf8E4M3FN> {
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf8E4M3FN>, tensor<3x2xf8E4M3FN>) -> tensor<2x2xf8E4M3FN>
  return %0 : tensor<2x2xf8E4M3FN>
}
