// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.and %arg0, %arg0 : tensor<3xi1>
// CHECK: %1 = stablehlo.and %arg1, %arg1 : tensor<3xi2>
// CHECK: %2 = stablehlo.and %arg2, %arg2 : tensor<3xi32>
// CHECK: %3 = stablehlo.and %arg3, %arg3 : tensor<3xui4>
// CHECK: %4 = stablehlo.and %arg4, %arg4 : tensor<3xui64>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xi2>, %c: tensor<3xi32>, %d: tensor<3xui4>, %e: tensor<3xui64>) {
  %0 = stablehlo.and %a, %a : tensor<3xi1>
  %1 = stablehlo.and %b, %b : tensor<3xi2>
  %2 = stablehlo.and %c, %c : tensor<3xi32>
  %3 = stablehlo.and %d, %d : tensor<3xui4>
  %4 = stablehlo.and %e, %e : tensor<3xui64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.and %arg0, %arg0 : tensor<i1>
// CHECK: %1 = stablehlo.and %arg1, %arg1 : tensor<?x3xi1>
// CHECK: %2 = stablehlo.and %arg1, %arg2 : (tensor<?x3xi1>, tensor<2x?xi1>) -> tensor<2x3xi1>
// CHECK: %3 = stablehlo.and %arg3, %arg3 : tensor<?x3xi1, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.and %arg3, %arg1 : (tensor<?x3xi1, #stablehlo.bounds<8, ?>>, tensor<?x3xi1>) -> tensor<?x3xi1>
func.func @shapes(%a: tensor<i1>, %b: tensor<?x3xi1>, %c: tensor<2x?xi1>, %d: tensor<?x3xi1, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.and %a, %a : tensor<i1>
  %1 = stablehlo.and %b, %b : tensor<?x3xi1>
  %2 = stablehlo.and %b, %c : (tensor<?x3xi1>, tensor<2x?xi1>) -> tensor<2x3xi1>
  %3 = stablehlo.and %d, %d : tensor<?x3xi1, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.and %d, %b : (tensor<?x3xi1, #stablehlo.bounds<8, ?>>, tensor<?x3xi1>) -> tensor<?x3xi1>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.and %arg0, %arg1 : tensor<2xi1>
// CHECK: %1 = stablehlo.and %arg1, %arg0 {tag = 1 : i64} : tensor<2xi1>
// CHECK: %2 = stablehlo.and %arg0, %arg1 : tensor<2xi1>
func.func @other_forms(%a: tensor<2xi1>, %b: tensor<2xi1>) {
  %0 = "stablehlo.and"(%a, %b) : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %1 = "stablehlo.and"(%b, %a) {tag = 1 : i64} : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %2 = stablehlo.and %a, %b : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  return
}
