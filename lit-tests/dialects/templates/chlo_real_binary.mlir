// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = OP %arg0, %arg0 : tensor<3xf16>, tensor<3xf16> -> tensor<3xf16>
// CHECK: %1 = OP %arg1, %arg1 : tensor<3xbf16>, tensor<3xbf16> -> tensor<3xbf16>
// CHECK: %2 = OP %arg2, %arg2 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
// CHECK: %3 = OP %arg3, %arg3 : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
func.func @element_types(%a: tensor<3xf16>, %b: tensor<3xbf16>, %c: tensor<3xf32>, %d: tensor<3xf64>) {
  %0 = OP %a, %a : tensor<3xf16>, tensor<3xf16> -> tensor<3xf16>
  %1 = OP %b, %b : tensor<3xbf16>, tensor<3xbf16> -> tensor<3xbf16>
  %2 = OP %c, %c : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>
  %3 = OP %d, %d : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = OP %arg0, %arg0 : tensor<f32>, tensor<f32> -> tensor<f32>
// CHECK: %1 = OP %arg1, %arg2 : tensor<?x3xf32>, tensor<2x?xf32> -> tensor<2x3xf32>
// CHECK: %2 = OP %arg3, %arg3 : tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<2x?xf32>, %d: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = OP %a, %a : tensor<f32>, tensor<f32> -> tensor<f32>
  %1 = OP %b, %c : tensor<?x3xf32>, tensor<2x?xf32> -> tensor<2x3xf32>
  %2 = OP %d, %d : tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = OP %arg0, %arg1 : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
// CHECK: %1 = OP %arg1, %arg0 {tag} : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = "OP"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = OP %b, %a {tag} : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return
}
