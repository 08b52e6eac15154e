// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @values(
// CHECK: %0 = "chlo.constant_like"(%arg0) <{value = 1.000000e+00 : f32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK: %1 = "chlo.constant_like"(%arg1) <{value = 3 : i8}> : (tensor<?xi8>) -> tensor<?xi8>
// CHECK: %2 = "chlo.constant_like"(%arg2) <{value = #complex.number<:f32 1.000000e+00, 2.000000e+00> : complex<f32>}> {tag} : (tensor<*xcomplex<f32>>) -> tensor<*xcomplex<f32>>
func.func @values(%a: tensor<4x6xf32>, %b: tensor<?xi8>, %c: tensor<*xcomplex<f32>>) {
  %0 = "chlo.constant_like"(%a) <{value = 1.0 : f32}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "chlo.constant_like"(%b) <{value = 3 : i8}> : (tensor<?xi8>) -> tensor<?xi8>
  %2 = "chlo.constant_like"(%c) <{value = #complex.number<:f32 1.0, 2.0> : complex<f32>}> {tag} : (tensor<*xcomplex<f32>>) -> tensor<*xcomplex<f32>>
  return
}
