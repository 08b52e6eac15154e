// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = chlo.erf_inv %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %1 = chlo.erf_inv %arg1 : tensor<3xf8E4M3FN> -> tensor<3xf8E4M3FN>
// CHECK: %2 = chlo.erf_inv %arg2 : tensor<3xf16> -> tensor<3xf16>
// CHECK: %3 = chlo.erf_inv %arg3 : tensor<3xbf16> -> tensor<3xbf16>
// CHECK: %4 = chlo.erf_inv %arg4 : tensor<3xf64> -> tensor<3xf64>
func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xf8E4M3FN>, %c: tensor<3xf16>, %d: tensor<3xbf16>, %e: tensor<3xf64>) {
  %0 = chlo.erf_inv %a : tensor<3xf32> -> tensor<3xf32>
  %1 = chlo.erf_inv %b : tensor<3xf8E4M3FN> -> tensor<3xf8E4M3FN>
  %2 = chlo.erf_inv %c : tensor<3xf16> -> tensor<3xf16>
  %3 = chlo.erf_inv %d : tensor<3xbf16> -> tensor<3xbf16>
  %4 = chlo.erf_inv %e : tensor<3xf64> -> tensor<3xf64>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = chlo.erf_inv %arg0 : tensor<f32> -> tensor<f32>
// CHECK: %1 = chlo.erf_inv %arg1 : tensor<?x3xf32> -> tensor<?x3xf32>
// CHECK: %2 = chlo.erf_inv %arg2 : tensor<*xf32> -> tensor<*xf32>
// CHECK: %3 = chlo.erf_inv %arg3 : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<*xf32>, %d: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = chlo.erf_inv %a : tensor<f32> -> tensor<f32>
  %1 = chlo.erf_inv %b : tensor<?x3xf32> -> tensor<?x3xf32>
  %2 = chlo.erf_inv %c : tensor<*xf32> -> tensor<*xf32>
  %3 = chlo.erf_inv %d : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = chlo.erf_inv %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK: %1 = chlo.erf_inv %arg0 {tag} : tensor<2xf32> -> tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "chlo.erf_inv"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = chlo.erf_inv %a {tag} : tensor<2xf32> -> tensor<2xf32>
  return
}
