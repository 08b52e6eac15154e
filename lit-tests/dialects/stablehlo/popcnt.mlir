// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.popcnt %arg0 : tensor<3xi2>
// CHECK: %1 = stablehlo.popcnt %arg1 : tensor<3xi8>
// CHECK: %2 = stablehlo.popcnt %arg2 : tensor<3xi64>
// CHECK: %3 = stablehlo.popcnt %arg3 : tensor<3xui4>
// CHECK: %4 = stablehlo.popcnt %arg4 : tensor<3xui32>
func.func @element_types(%a: tensor<3xi2>, %b: tensor<3xi8>, %c: tensor<3xi64>, %d: tensor<3xui4>, %e: tensor<3xui32>) {
  %0 = stablehlo.popcnt %a : tensor<3xi2>
  %1 = stablehlo.popcnt %b : tensor<3xi8>
  %2 = stablehlo.popcnt %c : tensor<3xi64>
  %3 = stablehlo.popcnt %d : tensor<3xui4>
  %4 = stablehlo.popcnt %e : tensor<3xui32>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.popcnt %arg0 : tensor<ui8>
// CHECK: %1 = stablehlo.popcnt %arg1 : tensor<0x4xui8>
// CHECK: %2 = stablehlo.popcnt %arg2 : tensor<?x3xui8>
// CHECK: %3 = stablehlo.popcnt %arg2 : (tensor<?x3xui8>) -> tensor<5x3xui8>
// CHECK: %4 = stablehlo.popcnt %arg3 : tensor<?x3xui8, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<ui8>, %b: tensor<0x4xui8>, %c: tensor<?x3xui8>, %d: tensor<?x3xui8, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.popcnt %a : tensor<ui8>
  %1 = stablehlo.popcnt %b : tensor<0x4xui8>
  %2 = stablehlo.popcnt %c : tensor<?x3xui8>
  %3 = stablehlo.popcnt %c : (tensor<?x3xui8>) -> tensor<5x3xui8>
  %4 = stablehlo.popcnt %d : tensor<?x3xui8, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.popcnt %arg0 : tensor<2xui8>
// CHECK: %1 = stablehlo.popcnt %arg0 {tag = "x"} : tensor<2xui8>
// CHECK: %2 = stablehlo.popcnt %arg0 : tensor<2xui8>
func.func @other_forms(%a: tensor<2xui8>) {
  %0 = "stablehlo.popcnt"(%a) : (tensor<2xui8>) -> tensor<2xui8>
  %1 = "stablehlo.popcnt"(%a) {tag = "x"} : (tensor<2xui8>) -> tensor<2xui8>
  %2 = stablehlo.popcnt %a : (tensor<2xui8>) -> tensor<2xui8>
  return
}
