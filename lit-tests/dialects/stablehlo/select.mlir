// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @predicates(
// CHECK: %0 = stablehlo.select %arg1, %arg2, %arg3 : tensor<3xi1>, tensor<3xf32>
// CHECK: %1 = stablehlo.select %arg0, %arg2, %arg3 : tensor<i1>, tensor<3xf32>
func.func @predicates(%p: tensor<i1>, %q: tensor<3xi1>, %a: tensor<3xf32>, %b: tensor<3xf32>) {
  %0 = stablehlo.select %q, %a, %b : tensor<3xi1>, tensor<3xf32>
  %1 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.select %arg0, %arg1, %arg0 : tensor<i1>, tensor<i1>
// CHECK: %1 = stablehlo.select %arg0, %arg2, %arg2 : tensor<i1>, tensor<2xui8>
// CHECK: %2 = stablehlo.select %arg0, %arg3, %arg3 : tensor<i1>, tensor<2xcomplex<f64>>
// CHECK: %3 = stablehlo.select %arg0, %arg4, %arg4 : tensor<i1>, tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%p: tensor<i1>, %a: tensor<i1>, %b: tensor<2xui8>, %c: tensor<2xcomplex<f64>>, %d: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.select %p, %a, %p : tensor<i1>, tensor<i1>
  %1 = stablehlo.select %p, %b, %b : tensor<i1>, tensor<2xui8>
  %2 = stablehlo.select %p, %c, %c : tensor<i1>, tensor<2xcomplex<f64>>
  %3 = stablehlo.select %p, %d, %d : tensor<i1>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.select %arg0, %arg3, %arg3 : tensor<?xi1>, tensor<?xf32>
// CHECK: %1 = stablehlo.select %arg1, %arg2, %arg3 : (tensor<3xi1>, tensor<3xf32>, tensor<?xf32>) -> tensor<3xf32>
// CHECK: %2 = stablehlo.select %arg0, %arg4, %arg4 : tensor<?xi1>, tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%p: tensor<?xi1>, %q: tensor<3xi1>, %a: tensor<3xf32>, %b: tensor<?xf32>, %c: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.select %p, %b, %b : tensor<?xi1>, tensor<?xf32>
  %1 = stablehlo.select %q, %a, %b : (tensor<3xi1>, tensor<3xf32>, tensor<?xf32>) -> tensor<3xf32>
  %2 = stablehlo.select %p, %c, %c : tensor<?xi1>, tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<3xi1>, tensor<3xf32>
// CHECK: %1 = stablehlo.select %arg0, %arg1, %arg2 {tag} : tensor<3xi1>, tensor<3xf32>
func.func @other_forms(%p: tensor<3xi1>, %a: tensor<3xf32>, %b: tensor<3xf32>) {
  %0 = "stablehlo.select"(%p, %a, %b) : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.select %p, %a, %b {tag} : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
