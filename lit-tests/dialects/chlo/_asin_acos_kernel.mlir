// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = chlo._asin_acos_kernel %arg0 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
// CHECK: %1 = chlo._asin_acos_kernel %arg1 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
func.func @element_types(%a: tensor<3xcomplex<f32>>, %b: tensor<3xcomplex<f64>>) {
  %0 = chlo._asin_acos_kernel %a : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %1 = chlo._asin_acos_kernel %b : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = chlo._asin_acos_kernel %arg0 : tensor<complex<f32>> -> tensor<complex<f32>>
// CHECK: %1 = chlo._asin_acos_kernel %arg1 : tensor<?x3xcomplex<f32>> -> tensor<?x3xcomplex<f32>>
// CHECK: %2 = chlo._asin_acos_kernel %arg2 : tensor<*xcomplex<f32>> -> tensor<*xcomplex<f32>>
// CHECK: %3 = chlo._asin_acos_kernel %arg3 : tensor<?xcomplex<f32>, #stablehlo.bounds<4>> -> tensor<?xcomplex<f32>, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<complex<f32>>, %b: tensor<?x3xcomplex<f32>>, %c: tensor<*xcomplex<f32>>, %d: tensor<?xcomplex<f32>, #stablehlo.bounds<4>>) {
  %0 = chlo._asin_acos_kernel %a : tensor<complex<f32>> -> tensor<complex<f32>>
  %1 = chlo._asin_acos_kernel %b : tensor<?x3xcomplex<f32>> -> tensor<?x3xcomplex<f32>>
  %2 = chlo._asin_acos_kernel %c : tensor<*xcomplex<f32>> -> tensor<*xcomplex<f32>>
  %3 = chlo._asin_acos_kernel %d : tensor<?xcomplex<f32>, #stablehlo.bounds<4>> -> tensor<?xcomplex<f32>, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = chlo._asin_acos_kernel %arg0 : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
// CHECK: %1 = chlo._asin_acos_kernel %arg0 {tag} : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
func.func @other_forms(%a: tensor<2xcomplex<f32>>) {
  %0 = "chlo._asin_acos_kernel"(%a) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %1 = chlo._asin_acos_kernel %a {tag} : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return
}
