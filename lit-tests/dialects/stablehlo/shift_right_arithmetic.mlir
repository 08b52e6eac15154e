// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.shift_right_arithmetic %arg0, %arg0 : tensor<3xi2>
// CHECK: %1 = stablehlo.shift_right_arithmetic %arg1, %arg1 : tensor<3xi8>
// CHECK: %2 = stablehlo.shift_right_arithmetic %arg2, %arg2 : tensor<3xi64>
// CHECK: %3 = stablehlo.shift_right_arithmetic %arg3, %arg3 : tensor<3xui4>
// CHECK: %4 = stablehlo.shift_right_arithmetic %arg4, %arg4 : tensor<3xui16>
func.func @element_types(%a: tensor<3xi2>, %b: tensor<3xi8>, %c: tensor<3xi64>, %d: tensor<3xui4>, %e: tensor<3xui16>) {
  %0 = stablehlo.shift_right_arithmetic %a, %a : tensor<3xi2>
  %1 = stablehlo.shift_right_arithmetic %b, %b : tensor<3xi8>
  %2 = stablehlo.shift_right_arithmetic %c, %c : tensor<3xi64>
  %3 = stablehlo.shift_right_arithmetic %d, %d : tensor<3xui4>
  %4 = stablehlo.shift_right_arithmetic %e, %e : tensor<3xui16>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.shift_right_arithmetic %arg0, %arg0 : tensor<i16>
// CHECK: %1 = stablehlo.shift_right_arithmetic %arg1, %arg1 : tensor<?x3xi16>
// CHECK: %2 = stablehlo.shift_right_arithmetic %arg1, %arg2 : (tensor<?x3xi16>, tensor<2x?xi16>) -> tensor<2x3xi16>
// CHECK: %3 = stablehlo.shift_right_arithmetic %arg3, %arg3 : tensor<?x3xi16, #stablehlo.bounds<8, ?>>
// CHECK: %4 = stablehlo.shift_right_arithmetic %arg3, %arg1 : (tensor<?x3xi16, #stablehlo.bounds<8, ?>>, tensor<?x3xi16>) -> tensor<?x3xi16>
func.func @shapes(%a: tensor<i16>, %b: tensor<?x3xi16>, %c: tensor<2x?xi16>, %d: tensor<?x3xi16, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.shift_right_arithmetic %a, %a : tensor<i16>
  %1 = stablehlo.shift_right_arithmetic %b, %b : tensor<?x3xi16>
  %2 = stablehlo.shift_right_arithmetic %b, %c : (tensor<?x3xi16>, tensor<2x?xi16>) -> tensor<2x3xi16>
  %3 = stablehlo.shift_right_arithmetic %d, %d : tensor<?x3xi16, #stablehlo.bounds<8, ?>>
  %4 = stablehlo.shift_right_arithmetic %d, %b : (tensor<?x3xi16, #stablehlo.bounds<8, ?>>, tensor<?x3xi16>) -> tensor<?x3xi16>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<2xi16>
// CHECK: %1 = stablehlo.shift_right_arithmetic %arg1, %arg0 {tag = 1 : i64} : tensor<2xi16>
// CHECK: %2 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<2xi16>
func.func @other_forms(%a: tensor<2xi16>, %b: tensor<2xi16>) {
  %0 = "stablehlo.shift_right_arithmetic"(%a, %b) : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi16>
  %1 = "stablehlo.shift_right_arithmetic"(%b, %a) {tag = 1 : i64} : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi16>
  %2 = stablehlo.shift_right_arithmetic %a, %b : (tensor<2xi16>, tensor<2xi16>) -> tensor<2xi16>
  return
}
