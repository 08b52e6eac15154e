// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.imag %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.imag %arg1 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
// CHECK: %2 = stablehlo.imag %arg2 : tensor<2xbf16>
func.func @element_types(%a: tensor<2xcomplex<f32>>, %b: tensor<2xcomplex<f64>>, %c: tensor<2xbf16>) {
  %0 = stablehlo.imag %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.imag %b : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %2 = stablehlo.imag %c : tensor<2xbf16>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.imag %arg0 : (tensor<complex<f64>>) -> tensor<f64>
// CHECK: %1 = stablehlo.imag %arg1 : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
// CHECK: %2 = stablehlo.imag %arg2 : (tensor<?xcomplex<f32>, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<complex<f64>>, %b: tensor<?xcomplex<f64>>, %c: tensor<?xcomplex<f32>, #stablehlo.bounds<4>>) {
  %0 = stablehlo.imag %a : (tensor<complex<f64>>) -> tensor<f64>
  %1 = stablehlo.imag %b : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  %2 = stablehlo.imag %c : (tensor<?xcomplex<f32>, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.imag %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.imag %arg1 {tag} : tensor<2xf32>
func.func @generic_form(%a: tensor<2xcomplex<f32>>, %b: tensor<2xf32>) {
  %0 = "stablehlo.imag"(%a) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = "stablehlo.imag"(%b) {tag} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
