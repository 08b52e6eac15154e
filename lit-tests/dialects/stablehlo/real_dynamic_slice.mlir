// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg1, %arg1 : (tensor<?x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %1 = stablehlo.real_dynamic_slice %arg0, %arg2, %arg2, %arg2 : (tensor<?x3xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<2x1xf32>
func.func @shapes(%a: tensor<?x3xf32>, %d: tensor<2xi64>, %e: tensor<2xindex>) {
  %0 = stablehlo.real_dynamic_slice %a, %d, %d, %d : (tensor<?x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.real_dynamic_slice %a, %e, %e, %e : (tensor<?x3xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<2x1xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.real_dynamic_slice %arg0, %arg3, %arg3, %arg3 : (tensor<?xi1>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xi1>
// CHECK: %1 = stablehlo.real_dynamic_slice %arg1, %arg3, %arg3, %arg3 : (tensor<?xcomplex<f32>>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xcomplex<f32>>
// CHECK: %2 = stablehlo.real_dynamic_slice %arg2, %arg3, %arg3, %arg3 : (tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<?xi1>, %b: tensor<?xcomplex<f32>>, %c: tensor<?x!quant.uniform<i8:f32, 0.5:3>>, %d: tensor<1xui8>) {
  %0 = stablehlo.real_dynamic_slice %a, %d, %d, %d : (tensor<?xi1>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xi1>
  %1 = stablehlo.real_dynamic_slice %b, %d, %d, %d : (tensor<?xcomplex<f32>>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?xcomplex<f32>>
  %2 = stablehlo.real_dynamic_slice %c, %d, %d, %d : (tensor<?x!quant.uniform<i8:f32, 0.5:3>>, tensor<1xui8>, tensor<1xui8>, tensor<1xui8>) -> tensor<?x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg1, %arg1 : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
// CHECK: %1 = stablehlo.real_dynamic_slice %arg0, %arg1, %arg1, %arg1 {tag} : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
func.func @other_forms(%a: tensor<4xf32>, %d: tensor<1xi32>) {
  %0 = "stablehlo.real_dynamic_slice"(%a, %d, %d, %d) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.real_dynamic_slice %a, %d, %d, %d {tag} : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}
