// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.not %arg0 : tensor<3xi1>
// CHECK: %1 = stablehlo.not %arg1 : tensor<3xi2>
// CHECK: %2 = stablehlo.not %arg2 : tensor<3xi16>
// CHECK: %3 = stablehlo.not %arg3 : tensor<3xui4>
// CHECK: %4 = stablehlo.not %arg4 : tensor<3xui64>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xi2>, %c: tensor<3xi16>, %d: tensor<3xui4>, %e: tensor<3xui64>) {
  %0 = stablehlo.not %a : tensor<3xi1>
  %1 = stablehlo.not %b : tensor<3xi2>
  %2 = stablehlo.not %c : tensor<3xi16>
  %3 = stablehlo.not %d : tensor<3xui4>
  %4 = stablehlo.not %e : tensor<3xui64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.not %arg0 : tensor<i1>
// CHECK: %1 = stablehlo.not %arg1 : tensor<0x4xi1>
// CHECK: %2 = stablehlo.not %arg2 : tensor<?x3xi1>
// CHECK: %3 = stablehlo.not %arg2 : (tensor<?x3xi1>) -> tensor<5x3xi1>
// CHECK: %4 = stablehlo.not %arg3 : tensor<?x3xi1, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<i1>, %b: tensor<0x4xi1>, %c: tensor<?x3xi1>, %d: tensor<?x3xi1, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.not %a : tensor<i1>
  %1 = stablehlo.not %b : tensor<0x4xi1>
  %2 = stablehlo.not %c : tensor<?x3xi1>
  %3 = stablehlo.not %c : (tensor<?x3xi1>) -> tensor<5x3xi1>
  %4 = stablehlo.not %d : tensor<?x3xi1, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.not %arg0 : tensor<2xi1>
// CHECK: %1 = stablehlo.not %arg0 {tag = "x"} : tensor<2xi1>
// CHECK: %2 = stablehlo.not %arg0 : tensor<2xi1>
func.func @other_forms(%a: tensor<2xi1>) {
  %0 = "stablehlo.not"(%a) : (tensor<2xi1>) -> tensor<2xi1>
  %1 = "stablehlo.not"(%a) {tag = "x"} : (tensor<2xi1>) -> tensor<2xi1>
  %2 = stablehlo.not %a : (tensor<2xi1>) -> tensor<2xi1>
  return
}
