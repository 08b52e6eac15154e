// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = OP %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %1 = OP %arg1 : tensor<3xf8E4M3FN> -> tensor<3xf8E4M3FN>
// CHECK: %2 = OP %arg2 : tensor<3xf16> -> tensor<3xf16>
// CHECK: %3 = OP %arg3 : tensor<3xbf16> -> tensor<3xbf16>
// CHECK: %4 = OP %arg4 : tensor<3xf64> -> tensor<3xf64>
func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xf8E4M3FN>, %c: tensor<3xf16>, %d: tensor<3xbf16>, %e: tensor<3xf64>) {
  %0 = OP %a : tensor<3xf32> -> tensor<3xf32>
  %1 = OP %b : tensor<3xf8E4M3FN> -> tensor<3xf8E4M3FN>
  %2 = OP %c : tensor<3xf16> -> tensor<3xf16>
  %3 = OP %d : tensor<3xbf16> -> tensor<3xbf16>
  %4 = OP %e : tensor<3xf64> -> tensor<3xf64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = OP %arg0 : tensor<f32> -> tensor<f32>
// CHECK: %1 = OP %arg1 : tensor<?x3xf32> -> tensor<?x3xf32>
// CHECK: %2 = OP %arg2 : tensor<*xf32> -> tensor<*xf32>
// CHECK: %3 = OP %arg3 : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<*xf32>, %d: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = OP %a : tensor<f32> -> tensor<f32>
  %1 = OP %b : tensor<?x3xf32> -> tensor<?x3xf32>
  %2 = OP %c : tensor<*xf32> -> tensor<*xf32>
  %3 = OP %d : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = OP %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK: %1 = OP %arg0 {tag} : tensor<2xf32> -> tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "OP"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = OP %a {tag} : tensor<2xf32> -> tensor<2xf32>
  return
}
