// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = chlo.broadcast_select %arg0, %arg2, %arg3 : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: %1 = chlo.broadcast_select %arg1, %arg3, %arg3 : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: %2 = chlo.broadcast_select %arg0, %arg3, %arg4 : (tensor<2x1xi1>, tensor<3xf32>, tensor<?xf32>) -> tensor<2x3xf32>
func.func @shapes(%p: tensor<2x1xi1>, %q: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<?xf32>) {
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = chlo.broadcast_select %q, %b, %b : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = chlo.broadcast_select %p, %b, %c : (tensor<2x1xi1>, tensor<3xf32>, tensor<?xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = chlo.broadcast_select %arg0, %arg0, %arg0 : (tensor<i1>, tensor<i1>, tensor<i1>) -> tensor<i1>
// CHECK: %1 = chlo.broadcast_select %arg0, %arg1, %arg1 : (tensor<i1>, tensor<2xi4>, tensor<2xi4>) -> tensor<2xi4>
// CHECK: %2 = chlo.broadcast_select %arg0, %arg2, %arg2 : (tensor<i1>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
// CHECK: %3 = chlo.broadcast_select %arg0, %arg3, %arg3 : (tensor<i1>, tensor<*xbf16>, tensor<*xbf16>) -> tensor<*xbf16>
func.func @element_types(%p: tensor<i1>, %a: tensor<2xi4>, %b: tensor<2xcomplex<f64>>, %c: tensor<*xbf16>) {
  %0 = chlo.broadcast_select %p, %p, %p : (tensor<i1>, tensor<i1>, tensor<i1>) -> tensor<i1>
  %1 = chlo.broadcast_select %p, %a, %a : (tensor<i1>, tensor<2xi4>, tensor<2xi4>) -> tensor<2xi4>
  %2 = chlo.broadcast_select %p, %b, %b : (tensor<i1>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %3 = chlo.broadcast_select %p, %c, %c : (tensor<i1>, tensor<*xbf16>, tensor<*xbf16>) -> tensor<*xbf16>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = chlo.broadcast_select %arg0, %arg1, %arg1 {tag} : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @generic_form(%p: tensor<i1>, %a: tensor<2xf32>) {
  %0 = "chlo.broadcast_select"(%p, %a, %a) {tag} : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}
