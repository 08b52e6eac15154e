// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.count_leading_zeros %arg0 : tensor<3xi4>
// CHECK: %1 = stablehlo.count_leading_zeros %arg1 : tensor<3xi16>
// CHECK: %2 = stablehlo.count_leading_zeros %arg2 : tensor<3xi64>
// CHECK: %3 = stablehlo.count_leading_zeros %arg3 : tensor<3xui2>
// CHECK: %4 = stablehlo.count_leading_zeros %arg4 : tensor<3xui32>
func.func @element_types(%a: tensor<3xi4>, %b: tensor<3xi16>, %c: tensor<3xi64>, %d: tensor<3xui2>, %e: tensor<3xui32>) {
  %0 = stablehlo.count_leading_zeros %a : tensor<3xi4>
  %1 = stablehlo.count_leading_zeros %b : tensor<3xi16>
  %2 = stablehlo.count_leading_zeros %c : tensor<3xi64>
  %3 = stablehlo.count_leading_zeros %d : tensor<3xui2>
  %4 = stablehlo.count_leading_zeros %e : tensor<3xui32>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.count_leading_zeros %arg0 : tensor<i32>
// CHECK: %1 = stablehlo.count_leading_zeros %arg1 : tensor<0x4xi32>
// CHECK: %2 = stablehlo.count_leading_zeros %arg2 : tensor<?x3xi32>
// CHECK: %3 = stablehlo.count_leading_zeros %arg2 : (tensor<?x3xi32>) -> tensor<5x3xi32>
// CHECK: %4 = stablehlo.count_leading_zeros %arg3 : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<i32>, %b: tensor<0x4xi32>, %c: tensor<?x3xi32>, %d: tensor<?x3xi32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.count_leading_zeros %a : tensor<i32>
  %1 = stablehlo.count_leading_zeros %b : tensor<0x4xi32>
  %2 = stablehlo.count_leading_zeros %c : tensor<?x3xi32>
  %3 = stablehlo.count_leading_zeros %c : (tensor<?x3xi32>) -> tensor<5x3xi32>
  %4 = stablehlo.count_leading_zeros %d : tensor<?x3xi32, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.count_leading_zeros %arg0 : tensor<2xi32>
// CHECK: %1 = stablehlo.count_leading_zeros %arg0 {tag = "x"} : tensor<2xi32>
// CHECK: %2 = stablehlo.count_leading_zeros %arg0 : tensor<2xi32>
func.func @other_forms(%a: tensor<2xi32>) {
  %0 = "stablehlo.count_leading_zeros"(%a) : (tensor<2xi32>) -> tensor<2xi32>
  %1 = "stablehlo.count_leading_zeros"(%a) {tag = "x"} : (tensor<2xi32>) -> tensor<2xi32>
  %2 = stablehlo.count_leading_zeros %a : (tensor<2xi32>) -> tensor<2xi32>
  return
}
