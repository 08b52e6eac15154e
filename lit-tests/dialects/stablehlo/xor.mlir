// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.xor %arg0, %arg0 : tensor<3xi1>
// CHECK: %1 = stablehlo.xor %arg1, %arg1 : tensor<3xi2>
// CHECK: %2 = stablehlo.xor %arg2, %arg2 : tensor<3xi32>
// CHECK: %3 = stablehlo.xor %arg3, %arg3 : tensor<3xui4>
// CHECK: %4 = stablehlo.xor %arg4, %arg4 : tensor<3xui64>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xi2>, %c: tensor<3xi32>, %d: tensor<3xui4>, %e: tensor<3xui64>) {
  %0 = stablehlo.xor %a, %a : tensor<3xi1>
  %1 = stablehlo.xor %b, %b : tensor<3xi2>
  %2 = stablehlo.xor %c, %c : tensor<3xi32>
  %3 = stablehlo.xor %d, %d : tensor<3xui4>
  %4 = stablehlo.xor %e, %e : tensor<3xui64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.xor %arg0, %arg0 : tensor<i8>
// CHECK: %1 = stablehlo.xor %arg1, %arg1 : tensor<?x3xi8>
// CHECK: %2 = stablehlo.xor %arg1, %arg2 : (tensor<?x3xi8>, tensor<2x?xi8>) -> tensor<2x3xi8>
// CHECK: %3 = stablehlo.xor %arg3, %arg3 : tensor<?x3xi8, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.xor %arg3, %arg1 : (tensor<?x3xi8, #stablehlo.bounds<8, ?>>, tensor<?x3xi8>) -> tensor<?x3xi8>
func.func @shapes(%a: tensor<i8>, %b: tensor<?x3xi8>, %c: tensor<2x?xi8>, %d: tensor<?x3xi8, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.xor %a, %a : tensor<i8>
  %1 = stablehlo.xor %b, %b : tensor<?x3xi8>
  %2 = stablehlo.xor %b, %c : (tensor<?x3xi8>, tensor<2x?xi8>) -> tensor<2x3xi8>
  %3 = stablehlo.xor %d, %d : tensor<?x3xi8, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.xor %d, %b : (tensor<?x3xi8, #stablehlo.bounds<8, ?>>, tensor<?x3xi8>) -> tensor<?x3xi8>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.xor %arg0, %arg1 : tensor<2xi8>
// CHECK: %1 = stablehlo.xor %arg1, %arg0 {tag = 1 : i64} : tensor<2xi8>
// CHECK: %2 = stablehlo.xor %arg0, %arg1 : tensor<2xi8>
func.func @other_forms(%a: tensor<2xi8>, %b: tensor<2xi8>) {
  %0 = "stablehlo.xor"(%a, %b) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %1 = "stablehlo.xor"(%b, %a) {tag = 1 : i64} : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %2 = stablehlo.xor %a, %b : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return
}
