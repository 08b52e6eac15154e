// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.real %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.real %arg1 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
// CHECK: %2 = stablehlo.real %arg2 : tensor<2xf16>
func.func @element_types(%a: tensor<2xcomplex<f32>>, %b: tensor<2xcomplex<f64>>, %c: tensor<2xf16>) {
  %0 = stablehlo.real %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.real %b : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %2 = stablehlo.real %c : tensor<2xf16>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.real %arg0 : (tensor<complex<f32>>) -> tensor<f32>
// CHECK: %1 = stablehlo.real %arg1 : (tensor<?xcomplex<f32>>) -> tensor<5xf32>
// CHECK: %2 = stablehlo.real %arg2 : (tensor<?xcomplex<f32>, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<complex<f32>>, %b: tensor<?xcomplex<f32>>, %c: tensor<?xcomplex<f32>, #stablehlo.bounds<4>>) {
  %0 = stablehlo.real %a : (tensor<complex<f32>>) -> tensor<f32>
  %1 = stablehlo.real %b : (tensor<?xcomplex<f32>>) -> tensor<5xf32>
  %2 = stablehlo.real %c : (tensor<?xcomplex<f32>, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.real %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.real %arg1 {tag} : tensor<2xf64>
func.func @generic_form(%a: tensor<2xcomplex<f32>>, %b: tensor<2xf64>) {
  %0 = "stablehlo.real"(%a) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = "stablehlo.real"(%b) {tag} : (tensor<2xf64>) -> tensor<2xf64>
  return
}
