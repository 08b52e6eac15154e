// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = OP %arg0, %arg0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: %1 = OP %arg1, %arg1 : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
// CHECK: %2 = OP %arg2, %arg2 : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
// CHECK: %3 = OP %arg3, %arg3 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xf16>, %c: tensor<3xbf16>, %d: tensor<3xf64>) {
  %0 = OP %a, %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = OP %b, %b : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %2 = OP %c, %c : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
  %3 = OP %d, %d : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = OP %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %1 = OP %arg2, %arg0 : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %2 = OP %arg1, %arg3 : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK: %3 = OP %arg4, %arg1 : (tensor<?x?xf32>, tensor<3xf32>) -> tensor<?x3xf32>
// CHECK: %4 = OP %arg5, %arg1 : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
// CHECK: %5 = OP %arg6, %arg6 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>, %d: tensor<2x1xf32>, %e: tensor<?x?xf32>, %f: tensor<*xf32>, %g: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = OP %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = OP %c, %a : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = OP %b, %d : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %3 = OP %e, %b : (tensor<?x?xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %4 = OP %f, %b : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xf32>
  %5 = OP %g, %g : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @broadcast_dimensions(
// CHECK: %0 = OP %arg0, %arg1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
// CHECK: %1 = OP %arg2, %arg0 {broadcast_dimensions = array<i64>} : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @broadcast_dimensions(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  %0 = OP %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  %1 = OP %c, %a {broadcast_dimensions = array<i64>} : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = OP %arg0, %arg1 {tag} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
func.func @generic_form(%a: tensor<2xf32>, %b: tensor<f32>) {
  %0 = "OP"(%a, %b) {tag} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}
