// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.shift_left %arg0, %arg0 : tensor<3xi2>
// CHECK: %1 = stablehlo.shift_left %arg1, %arg1 : tensor<3xi8>
// CHECK: %2 = stablehlo.shift_left %arg2, %arg2 : tensor<3xi64>
// CHECK: %3 = stablehlo.shift_left %arg3, %arg3 : tensor<3xui4>
// CHECK: %4 = stablehlo.shift_left %arg4, %arg4 : tensor<3xui16>
func.func @element_types(%a: tensor<3xi2>, %b: tensor<3xi8>, %c: tensor<3xi64>, %d: tensor<3xui4>, %e: tensor<3xui16>) {
  %0 = stablehlo.shift_left %a, %a : tensor<3xi2>
  %1 = stablehlo.shift_left %b, %b : tensor<3xi8>
  %2 = stablehlo.shift_left %c, %c : tensor<3xi64>
  %3 = stablehlo.shift_left %d, %d : tensor<3xui4>
  %4 = stablehlo.shift_left %e, %e : tensor<3xui16>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.shift_left %arg0, %arg0 : tensor<i32>
// CHECK: %1 = stablehlo.shift_left %arg1, %arg1 : tensor<?x3xi32>
// CHECK: %2 = stablehlo.shift_left %arg1, %arg2 : (tensor<?x3xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
// CHECK: %3 = stablehlo.shift_left %arg3, %arg3 : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.shift_left %arg3, %arg1 : (tensor<?x3xi32, #stablehlo.bounds<8, ?>>, tensor<?x3xi32>) -> tensor<?x3xi32>
func.func @shapes(%a: tensor<i32>, %b: tensor<?x3xi32>, %c: tensor<2x?xi32>, %d: tensor<?x3xi32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.shift_left %a, %a : tensor<i32>
  %1 = stablehlo.shift_left %b, %b : tensor<?x3xi32>
  %2 = stablehlo.shift_left %b, %c : (tensor<?x3xi32>, tensor<2x?xi32>) -> tensor<2x3xi32>
  %3 = stablehlo.shift_left %d, %d : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.shift_left %d, %b : (tensor<?x3xi32, #stablehlo.bounds<8, ?>>, tensor<?x3xi32>) -> tensor<?x3xi32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.shift_left %arg0, %arg1 : tensor<2xi32>
// CHECK: %1 = stablehlo.shift_left %arg1, %arg0 {tag = 1 : i64} : tensor<2xi32>
// CHECK: %2 = stablehlo.shift_left %arg0, %arg1 : tensor<2xi32>
func.func @other_forms(%a: tensor<2xi32>, %b: tensor<2xi32>) {
  %0 = "stablehlo.shift_left"(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = "stablehlo.shift_left"(%b, %a) {tag = 1 : i64} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = stablehlo.shift_left %a, %b : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return
}
