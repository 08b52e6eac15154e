// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = chlo.conj %arg0 : tensor<3xf32> -> tensor<3xf32>
// CHECK: %1 = chlo.conj %arg1 : tensor<3xbf16> -> tensor<3xbf16>
// CHECK: %2 = chlo.conj %arg2 : tensor<3xf64> -> tensor<3xf64>
// CHECK: %3 = chlo.conj %arg3 : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
// CHECK: %4 = chlo.conj %arg4 : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xbf16>, %c: tensor<3xf64>, %d: tensor<3xcomplex<f32>>, %e: tensor<3xcomplex<f64>>) {
  %0 = chlo.conj %a : tensor<3xf32> -> tensor<3xf32>
  %1 = chlo.conj %b : tensor<3xbf16> -> tensor<3xbf16>
  %2 = chlo.conj %c : tensor<3xf64> -> tensor<3xf64>
  %3 = chlo.conj %d : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %4 = chlo.conj %e : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = chlo.conj %arg0 : tensor<f32> -> tensor<f32>
// CHECK: %1 = chlo.conj %arg1 : tensor<?x3xf32> -> tensor<?x3xf32>
// CHECK: %2 = chlo.conj %arg2 : tensor<*xf32> -> tensor<*xf32>
// CHECK: %3 = chlo.conj %arg3 : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<f32>, %b: tensor<?x3xf32>, %c: tensor<*xf32>, %d: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = chlo.conj %a : tensor<f32> -> tensor<f32>
  %1 = chlo.conj %b : tensor<?x3xf32> -> tensor<?x3xf32>
  %2 = chlo.conj %c : tensor<*xf32> -> tensor<*xf32>
  %3 = chlo.conj %d : tensor<?xf32, #stablehlo.bounds<4>> -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = chlo.conj %arg0 : tensor<2xf32> -> tensor<2xf32>
// CHECK: %1 = chlo.conj %arg0 {tag} : tensor<2xf32> -> tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "chlo.conj"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = chlo.conj %a {tag} : tensor<2xf32> -> tensor<2xf32>
  return
}
