// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.complex %arg0, %arg0 : tensor<2xcomplex<f32>>
// CHECK: %1 = stablehlo.complex %arg1, %arg1 : tensor<2xcomplex<f64>>
func.func @element_types(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  %0 = stablehlo.complex %a, %a : tensor<2xcomplex<f32>>
  %1 = stablehlo.complex %b, %b : tensor<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.complex %arg0, %arg0 : tensor<complex<f32>>
// CHECK: %1 = stablehlo.complex %arg1, %arg1 : tensor<?xcomplex<f64>>
// CHECK: %2 = stablehlo.complex %arg1, %arg2 : (tensor<?xf64>, tensor<2xf64>) -> tensor<2xcomplex<f64>>
// CHECK: %3 = stablehlo.complex %arg3, %arg3 : tensor<?xcomplex<f32>, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?xf64>, %c: tensor<2xf64>, %d: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.complex %a, %a : tensor<complex<f32>>
  %1 = stablehlo.complex %b, %b : tensor<?xcomplex<f64>>
  %2 = stablehlo.complex %b, %c : (tensor<?xf64>, tensor<2xf64>) -> tensor<2xcomplex<f64>>
  %3 = stablehlo.complex %d, %d : tensor<?xcomplex<f32>, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.complex %arg0, %arg1 : tensor<2xcomplex<f32>>
// CHECK: %1 = stablehlo.complex %arg0, %arg1 {tag} : tensor<2xcomplex<f32>>
func.func @other_forms(%a: tensor<2xf32>, %b: tensor<2xf32>) {
  %0 = "stablehlo.complex"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %1 = stablehlo.complex %a, %b {tag} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  return
}
