// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.convert %arg0 : (tensor<3xi1>) -> tensor<3xf32>
// CHECK: %1 = stablehlo.convert %arg1 : (tensor<3xi4>) -> tensor<3xui8>
// CHECK: %2 = stablehlo.convert %arg2 : (tensor<3xui64>) -> tensor<3xi1>
// CHECK: %3 = stablehlo.convert %arg3 : (tensor<3xf8E4M3FN>) -> tensor<3xbf16>
// CHECK: %4 = stablehlo.convert %arg4 : (tensor<3xf64>) -> tensor<3xi32>
// CHECK: %5 = stablehlo.convert %arg5 : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f64>>
// CHECK: %6 = stablehlo.convert %arg5 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
// CHECK: %7 = stablehlo.convert %arg4 : (tensor<3xf64>) -> tensor<3xcomplex<f32>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xi4>, %c: tensor<3xui64>, %d: tensor<3xf8E4M3FN>, %e: tensor<3xf64>, %f: tensor<3xcomplex<f32>>) {
  %0 = stablehlo.convert %a : (tensor<3xi1>) -> tensor<3xf32>
  %1 = stablehlo.convert %b : (tensor<3xi4>) -> tensor<3xui8>
  %2 = stablehlo.convert %c : (tensor<3xui64>) -> tensor<3xi1>
  %3 = stablehlo.convert %d : (tensor<3xf8E4M3FN>) -> tensor<3xbf16>
  %4 = stablehlo.convert %e : (tensor<3xf64>) -> tensor<3xi32>
  %5 = stablehlo.convert %f : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f64>>
  %6 = stablehlo.convert %f : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %7 = stablehlo.convert %e : (tensor<3xf64>) -> tensor<3xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.convert %arg0 : (tensor<f32>) -> tensor<f16>
// CHECK: %1 = stablehlo.convert %arg1 : (tensor<?x3xf32>) -> tensor<2x3xi32>
// CHECK: %2 = stablehlo.convert %arg2 : (tensor<?xi8, #stablehlo.bounds<4>>) -> tensor<?xi16, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<?xi8, #stablehlo.bounds<4>>) {
  %0 = stablehlo.convert %a : (tensor<f32>) -> tensor<f16>
  %1 = stablehlo.convert %b : (tensor<?x3xf32>) -> tensor<2x3xi32>
  %2 = stablehlo.convert %c : (tensor<?xi8, #stablehlo.bounds<4>>) -> tensor<?xi16, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.convert %arg0 : (tensor<2xf32>) -> tensor<2xi32>
// CHECK: %1 = stablehlo.convert %arg0 : tensor<2xf32>
// CHECK: %2 = stablehlo.convert %arg0 {tag} : tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "stablehlo.convert"(%a) : (tensor<2xf32>) -> tensor<2xi32>
  %1 = stablehlo.convert %a : tensor<2xf32>
  %2 = stablehlo.convert %a {tag} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
