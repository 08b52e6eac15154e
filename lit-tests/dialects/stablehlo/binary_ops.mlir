// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// Elementwise ops of two or three operands.

// CHECK-LABEL: func.func @arithmetic(
// CHECK: %0 = stablehlo.add %arg0, %arg0 : tensor<2x3xi32>
// CHECK: %1 = stablehlo.subtract %arg0, %arg0 : tensor<2x3xi32>
// CHECK: %2 = stablehlo.multiply %arg0, %arg0 : tensor<2x3xi32>
// CHECK: %3 = stablehlo.divide %arg0, %arg0 : tensor<2x3xi32>
// CHECK: %4 = stablehlo.remainder %arg0, %arg0 : tensor<2x3xi32>
// CHECK: %5 = stablehlo.maximum %arg0, %arg0 : tensor<2x3xi32>
// CHECK: %6 = stablehlo.minimum %arg0, %arg0 : tensor<2x3xi32>
// CHECK: %7 = stablehlo.power %arg1, %arg1 : tensor<4xf16>
// CHECK: %8 = stablehlo.atan2 %arg1, %arg1 : tensor<4xf16>
func.func @arithmetic(%a: tensor<2x3xi32>, %f: tensor<4xf16>) {
  %0 = stablehlo.add %a, %a : tensor<2x3xi32>
  %1 = stablehlo.subtract %a, %a : tensor<2x3xi32>
  %2 = stablehlo.multiply %a, %a : tensor<2x3xi32>
  %3 = stablehlo.divide %a, %a : tensor<2x3xi32>
  %4 = stablehlo.remainder %a, %a : tensor<2x3xi32>
  %5 = stablehlo.maximum %a, %a : tensor<2x3xi32>
  %6 = stablehlo.minimum %a, %a : tensor<2x3xi32>
  %7 = stablehlo.power %f, %f : tensor<4xf16>
  %8 = stablehlo.atan2 %f, %f : tensor<4xf16>
  return
}

// CHECK-LABEL: func.func @bits(
// CHECK: %0 = stablehlo.and %arg1, %arg1 : tensor<7xi1>
// CHECK: %1 = stablehlo.or %arg1, %arg1 : tensor<7xi1>
// CHECK: %2 = stablehlo.xor %arg0, %arg0 : tensor<ui32>
// CHECK: %3 = stablehlo.shift_left %arg0, %arg0 : tensor<ui32>
// CHECK: %4 = stablehlo.shift_right_arithmetic %arg0, %arg0 : tensor<ui32>
// CHECK: %5 = stablehlo.shift_right_logical %arg0, %arg0 : tensor<ui32>
func.func @bits(%a: tensor<ui32>, %p: tensor<7xi1>) {
  %0 = stablehlo.and %p, %p : tensor<7xi1>
  %1 = stablehlo.or %p, %p : tensor<7xi1>
  %2 = stablehlo.xor %a, %a : tensor<ui32>
  %3 = stablehlo.shift_left %a, %a : tensor<ui32>
  %4 = stablehlo.shift_right_arithmetic %a, %a : tensor<ui32>
  %5 = stablehlo.shift_right_logical %a, %a : tensor<ui32>
  return
}

// CHECK-LABEL: func.func @complex(
// CHECK: %0 = stablehlo.complex %arg0, %arg0 : tensor<2xcomplex<f64>>
// CHECK: %1 = stablehlo.complex %arg1, %arg0 : (tensor<?xf64>, tensor<2xf64>) -> tensor<2xcomplex<f64>>
func.func @complex(%a: tensor<2xf64>, %b: tensor<?xf64>) {
  %0 = stablehlo.complex %a, %a : tensor<2xcomplex<f64>>
  %1 = stablehlo.complex %b, %a : (tensor<?xf64>, tensor<2xf64>) -> tensor<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @compare(
// CHECK: %0 = stablehlo.compare EQ, %arg0, %arg0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
// CHECK: %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
// CHECK: %2 = stablehlo.compare GE, %arg0, %arg0, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
// CHECK: %3 = stablehlo.compare GT, %arg1, %arg1, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
// CHECK: %4 = stablehlo.compare LE, %arg1, %arg1 : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
// CHECK: %5 = stablehlo.compare LT, %arg1, %arg1 {tag} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
func.func @compare(%a: tensor<3xf32>, %b: tensor<3xi8>) {
  %0 = stablehlo.compare EQ, %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %1 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %2 = stablehlo.compare GE, %a, %a, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %3 = stablehlo.compare GT, %b, %b, SIGNED : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %4 = stablehlo.compare LE, %b, %b : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  %5 = stablehlo.compare LT, %b, %b {tag} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @select_and_clamp(
// CHECK: %0 = stablehlo.select %arg1, %arg2, %arg2 : tensor<3xi1>, tensor<3xf32>
// CHECK: %1 = stablehlo.select %arg0, %arg2, %arg2 : tensor<i1>, tensor<3xf32>
// CHECK: %2 = stablehlo.select %arg1, %arg2, %arg4 : (tensor<3xi1>, tensor<3xf32>, tensor<?xf32>) -> tensor<3xf32>
// CHECK: %3 = stablehlo.clamp %arg2, %arg2, %arg2 : tensor<3xf32>
// CHECK: %4 = stablehlo.clamp %arg3, %arg2, %arg3 : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
func.func @select_and_clamp(%p: tensor<i1>, %q: tensor<3xi1>, %a: tensor<3xf32>, %s: tensor<f32>, %d: tensor<?xf32>) {
  %0 = stablehlo.select %q, %a, %a : tensor<3xi1>, tensor<3xf32>
  %1 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<3xf32>
  %2 = stablehlo.select %q, %a, %d : (tensor<3xi1>, tensor<3xf32>, tensor<?xf32>) -> tensor<3xf32>
  %3 = stablehlo.clamp %a, %a, %a : tensor<3xf32>
  %4 = stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @operands_that_differ(
// CHECK: %0 = stablehlo.add %arg0, %arg1 : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
func.func @operands_that_differ(%a: tensor<?x3xf32>, %b: tensor<2x?xf32>) {
  %0 = stablehlo.add %a, %b : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<2x3xf32>
  return
}
