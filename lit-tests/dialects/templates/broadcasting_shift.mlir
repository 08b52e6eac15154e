// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = OP %arg0, %arg0 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
// CHECK: %1 = OP %arg1, %arg1 : (tensor<3xi2>, tensor<3xi2>) -> tensor<3xi2>
// CHECK: %2 = OP %arg2, %arg2 : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
func.func @element_types(%a: tensor<3xi32>, %b: tensor<3xi2>, %c: tensor<3xui8>) {
  %0 = OP %a, %a : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %1 = OP %b, %b : (tensor<3xi2>, tensor<3xi2>) -> tensor<3xi2>
  %2 = OP %c, %c : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = OP %arg0, %arg1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: %1 = OP %arg2, %arg0 : (tensor<i32>, tensor<2x3xi32>) -> tensor<2x3xi32>
// CHECK: %2 = OP %arg1, %arg3 : (tensor<3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
// CHECK: %3 = OP %arg4, %arg1 : (tensor<?x?xi32>, tensor<3xi32>) -> tensor<?x3xi32>
// CHECK: %4 = OP %arg5, %arg1 : (tensor<*xi32>, tensor<3xi32>) -> tensor<*xi32>
// CHECK: %5 = OP %arg6, %arg6 : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<?xi32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<2x3xi32>, %b: tensor<3xi32>, %c: tensor<i32>, %d: tensor<2x1xi32>, %e: tensor<?x?xi32>, %f: tensor<*xi32>, %g: tensor<?xi32, #stablehlo.bounds<4>>) {
  %0 = OP %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  %1 = OP %c, %a : (tensor<i32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %2 = OP %b, %d : (tensor<3xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  %3 = OP %e, %b : (tensor<?x?xi32>, tensor<3xi32>) -> tensor<?x3xi32>
  %4 = OP %f, %b : (tensor<*xi32>, tensor<3xi32>) -> tensor<*xi32>
  %5 = OP %g, %g : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<?xi32, #stablehlo.bounds<4>>) -> tensor<?xi32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @broadcast_dimensions(
// CHECK: %0 = OP %arg0, %arg1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
// CHECK: %1 = OP %arg2, %arg0 {broadcast_dimensions = array<i64>} : (tensor<i32>, tensor<2x3xi32>) -> tensor<2x3xi32>
func.func @broadcast_dimensions(%a: tensor<2x3xi32>, %b: tensor<2xi32>, %c: tensor<i32>) {
  %0 = OP %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  %1 = OP %c, %a {broadcast_dimensions = array<i64>} : (tensor<i32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = OP %arg0, %arg1 {tag} : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
func.func @generic_form(%a: tensor<2xi32>, %b: tensor<i32>) {
  %0 = "OP"(%a, %b) {tag} : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  return
}
