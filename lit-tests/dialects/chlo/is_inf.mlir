// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = chlo.is_inf %arg0 : tensor<3xf32> -> tensor<3xi1>
// CHECK: %1 = chlo.is_inf %arg1 : tensor<3xf8E4M3FN> -> tensor<3xi1>
// CHECK: %2 = chlo.is_inf %arg2 : tensor<3xf16> -> tensor<3xi1>
// CHECK: %3 = chlo.is_inf %arg3 : tensor<3xbf16> -> tensor<3xi1>
// CHECK: %4 = chlo.is_inf %arg4 : tensor<3xf64> -> tensor<3xi1>
func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xf8E4M3FN>, %c: tensor<3xf16>, %d: tensor<3xbf16>, %e: tensor<3xf64>) {
  %0 = chlo.is_inf %a : tensor<3xf32> -> tensor<3xi1>
  %1 = chlo.is_inf %b : tensor<3xf8E4M3FN> -> tensor<3xi1>
  %2 = chlo.is_inf %c : tensor<3xf16> -> tensor<3xi1>
  %3 = chlo.is_inf %d : tensor<3xbf16> -> tensor<3xi1>
  %4 = chlo.is_inf %e : tensor<3xf64> -> tensor<3xi1>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = chlo.is_inf %arg0 : tensor<f32> -> tensor<i1>
// CHECK: %1 = chlo.is_inf %arg1 : tensor<?x3xf32> -> tensor<?x3xi1>
// CHECK: %2 = chlo.is_inf %arg2 : tensor<*xf32> -> tensor<*xi1>
// CHECK: %3 = chlo.is_inf %arg3 : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xi1, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<*xf32>, %d: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = chlo.is_inf %a : tensor<f32> -> tensor<i1>
  %1 = chlo.is_inf %b : tensor<?x3xf32> -> tensor<?x3xi1>
  %2 = chlo.is_inf %c : tensor<*xf32> -> tensor<*xi1>
  %3 = chlo.is_inf %d : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xi1, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = chlo.is_inf %arg0 : tensor<2xf32> -> tensor<2xi1>
// CHECK: %1 = chlo.is_inf %arg0 {tag} : tensor<2xf32> -> tensor<2xi1>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "chlo.is_inf"(%a) : (tensor<2xf32>) -> tensor<2xi1>
  %1 = chlo.is_inf %a {tag} : tensor<2xf32> -> tensor<2xi1>
  return
}
