// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = chlo.broadcast_compare %arg0, %arg0 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
// CHECK: %1 = chlo.broadcast_compare %arg1, %arg1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
// CHECK: %2 = chlo.broadcast_compare %arg2, %arg2 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xi4>, tensor<3xi4>) -> tensor<3xi1>
// CHECK: %3 = chlo.broadcast_compare %arg3, %arg3 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xui16>, tensor<3xui16>) -> tensor<3xi1>
// CHECK: %4 = chlo.broadcast_compare %arg4, %arg4 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
// CHECK: %5 = chlo.broadcast_compare %arg5, %arg5 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
// CHECK: %6 = chlo.broadcast_compare %arg6, %arg6 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xi1>, %c: tensor<3xi4>, %d: tensor<3xui16>, %e: tensor<3xbf16>, %f: tensor<3xf64>, %g: tensor<3xcomplex<f32>>) {
  %0 = chlo.broadcast_compare %a, %a {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %1 = chlo.broadcast_compare %b, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  %2 = chlo.broadcast_compare %c, %c {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xi4>, tensor<3xi4>) -> tensor<3xi1>
  %3 = chlo.broadcast_compare %d, %d {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xui16>, tensor<3xui16>) -> tensor<3xi1>
  %4 = chlo.broadcast_compare %e, %e {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %5 = chlo.broadcast_compare %f, %f {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  %6 = chlo.broadcast_compare %g, %g {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = chlo.broadcast_compare %arg0, %arg1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
// CHECK: %1 = chlo.broadcast_compare %arg2, %arg0 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %2 = chlo.broadcast_compare %arg1, %arg3 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
// CHECK: %3 = chlo.broadcast_compare %arg4, %arg1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?x?xf32>, tensor<3xf32>) -> tensor<?x3xi1>
// CHECK: %4 = chlo.broadcast_compare %arg5, %arg1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xi1>
// CHECK: %5 = chlo.broadcast_compare %arg6, %arg6 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>, %d: tensor<2x1xf32>, %e: tensor<?x?xf32>, %f: tensor<*xf32>, %g: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %1 = chlo.broadcast_compare %c, %a {comparison_direction = #chlo<comparison_direction LT>} : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %2 = chlo.broadcast_compare %b, %d {comparison_direction = #chlo<comparison_direction LT>} : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xi1>
  %3 = chlo.broadcast_compare %e, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?x?xf32>, tensor<3xf32>) -> tensor<?x3xi1>
  %4 = chlo.broadcast_compare %f, %b {comparison_direction = #chlo<comparison_direction LT>} : (tensor<*xf32>, tensor<3xf32>) -> tensor<*xi1>
  %5 = chlo.broadcast_compare %g, %g {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi1, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @broadcast_dimensions(
// CHECK: %0 = chlo.broadcast_compare %arg0, %arg1 {broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xi1>
// CHECK: %1 = chlo.broadcast_compare %arg2, %arg0 {broadcast_dimensions = array<i64>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xi1>
func.func @broadcast_dimensions(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<f32>) {
  %0 = chlo.broadcast_compare %a, %b {broadcast_dimensions = array<i64: 0>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xi1>
  %1 = chlo.broadcast_compare %c, %a {broadcast_dimensions = array<i64>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = chlo.broadcast_compare %arg0, %arg1 {comparison_direction = #chlo<comparison_direction LT>, tag} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
func.func @generic_form(%a: tensor<2xf32>, %b: tensor<f32>) {
  %0 = "chlo.broadcast_compare"(%a, %b) {comparison_direction = #chlo<comparison_direction LT>, tag} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: func.func @orders(
// CHECK: %0 = chlo.broadcast_compare %arg0, %arg1 {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GT>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
// CHECK: %1 = chlo.broadcast_compare %arg2, %arg2 {compare_type = #chlo<comparison_type UNSIGNED>, comparison_direction = #chlo<comparison_direction EQ>} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
func.func @orders(%a: tensor<2xf32>, %b: tensor<f32>, %i: tensor<ui8>) {
  %0 = chlo.broadcast_compare %a, %b {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GT>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %1 = chlo.broadcast_compare %i, %i {compare_type = #chlo<comparison_type UNSIGNED>, comparison_direction = #chlo<comparison_direction EQ>} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return
}
