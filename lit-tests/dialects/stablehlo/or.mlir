// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.or %arg0, %arg0 : tensor<3xi1>
// CHECK: %1 = stablehlo.or %arg1, %arg1 : tensor<3xi2>
// CHECK: %2 = stablehlo.or %arg2, %arg2 : tensor<3xi32>
// CHECK: %3 = stablehlo.or %arg3, %arg3 : tensor<3xui4>
// CHECK: %4 = stablehlo.or %arg4, %arg4 : tensor<3xui64>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xi2>, %c: tensor<3xi32>, %d: tensor<3xui4>, %e: tensor<3xui64>) {
  %0 = stablehlo.or %a, %a : tensor<3xi1>
  %1 = stablehlo.or %b, %b : tensor<3xi2>
  %2 = stablehlo.or %c, %c : tensor<3xi32>
  %3 = stablehlo.or %d, %d : tensor<3xui4>
  %4 = stablehlo.or %e, %e : tensor<3xui64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.or %arg0, %arg0 : tensor<ui32>
// CHECK: %1 = stablehlo.or %arg1, %arg1 : tensor<?x3xui32>
// CHECK: %2 = stablehlo.or %arg1, %arg2 : (tensor<?x3xui32>, tensor<2x?xui32>) -> tensor<2x3xui32>
// CHECK: %3 = stablehlo.or %arg3, %arg3 : tensor<?x3xui32, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.or %arg3, %arg1 : (tensor<?x3xui32, #stablehlo.bounds<8, ?>>, tensor<?x3xui32>) -> tensor<?x3xui32>
func.func @shapes(%a: tensor<ui32>, %b: tensor<?x3xui32>, %c: tensor<2x?xui32>, %d: tensor<?x3xui32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.or %a, %a : tensor<ui32>
  %1 = stablehlo.or %b, %b : tensor<?x3xui32>
  %2 = stablehlo.or %b, %c : (tensor<?x3xui32>, tensor<2x?xui32>) -> tensor<2x3xui32>
  %3 = stablehlo.or %d, %d : tensor<?x3xui32, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.or %d, %b : (tensor<?x3xui32, #stablehlo.bounds<8, ?>>, tensor<?x3xui32>) -> tensor<?x3xui32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.or %arg0, %arg1 : tensor<2xui32>
// CHECK: %1 = stablehlo.or %arg1, %arg0 {tag = 1 : i64} : tensor<2xui32>
// CHECK: %2 = stablehlo.or %arg0, %arg1 : tensor<2xui32>
func.func @other_forms(%a: tensor<2xui32>, %b: tensor<2xui32>) {
  %0 = "stablehlo.or"(%a, %b) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  %1 = "stablehlo.or"(%b, %a) {tag = 1 : i64} : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  %2 = stablehlo.or %a, %b : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  return
}
