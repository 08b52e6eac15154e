// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = chlo.mulhi %arg0, %arg0 : tensor<3xi4>, tensor<3xi4> -> tensor<3xi4>
// CHECK: %1 = chlo.mulhi %arg1, %arg1 : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
// CHECK: %2 = chlo.mulhi %arg2, %arg2 : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
// CHECK: %3 = chlo.mulhi %arg3, %arg3 : tensor<3xui8>, tensor<3xui8> -> tensor<3xui8>
// CHECK: %4 = chlo.mulhi %arg4, %arg4 : tensor<3xui32>, tensor<3xui32> -> tensor<3xui32>
func.func @element_types(%a: tensor<3xi4>, %b: tensor<3xi32>, %c: tensor<3xi64>, %d: tensor<3xui8>, %e: tensor<3xui32>) {
  %0 = chlo.mulhi %a, %a : tensor<3xi4>, tensor<3xi4> -> tensor<3xi4>
  %1 = chlo.mulhi %b, %b : tensor<3xi32>, tensor<3xi32> -> tensor<3xi32>
  %2 = chlo.mulhi %c, %c : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
  %3 = chlo.mulhi %d, %d : tensor<3xui8>, tensor<3xui8> -> tensor<3xui8>
  %4 = chlo.mulhi %e, %e : tensor<3xui32>, tensor<3xui32> -> tensor<3xui32>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = chlo.mulhi %arg0, %arg0 : tensor<ui32>, tensor<ui32> -> tensor<ui32>
// CHECK: %1 = chlo.mulhi %arg1, %arg2 : tensor<?x3xui32>, tensor<2x?xui32> -> tensor<2x3xui32>
// CHECK: %2 = chlo.mulhi %arg3, %arg3 : tensor<?xui32, #stablehlo.bounds<4>>, tensor<?xui32, #stablehlo.bounds<4>> -> tensor<?xui32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<ui32>, %b: tensor<?x3xui32>, %c: tensor<2x?xui32>, %d: tensor<?xui32, #stablehlo.bounds<4>>) {
  %0 = chlo.mulhi %a, %a : tensor<ui32>, tensor<ui32> -> tensor<ui32>
  %1 = chlo.mulhi %b, %c : tensor<?x3xui32>, tensor<2x?xui32> -> tensor<2x3xui32>
  %2 = chlo.mulhi %d, %d : tensor<?xui32, #stablehlo.bounds<4>>, tensor<?xui32, #stablehlo.bounds<4>> -> tensor<?xui32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = chlo.mulhi %arg0, %arg1 : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
// CHECK: %1 = chlo.mulhi %arg1, %arg0 {tag} : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
func.func @other_forms(%a: tensor<2xui32>, %b: tensor<2xui32>) {
  %0 = "chlo.mulhi"(%a, %b) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui32>
  %1 = chlo.mulhi %b, %a {tag} : tensor<2xui32>, tensor<2xui32> -> tensor<2xui32>
  return
}
