// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.dynamic_pad %arg0, %arg2, %arg3, %arg3, %arg3 : (tensor<?x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: %1 = stablehlo.dynamic_pad %arg1, %arg2, %arg4, %arg4, %arg4 : (tensor<4xf32>, tensor<f32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<7xf32>
func.func @shapes(%a: tensor<?x3xf32>, %b: tensor<4xf32>, %f: tensor<f32>, %n: tensor<2xi64>, %m: tensor<1xindex>) {
  %0 = stablehlo.dynamic_pad %a, %f, %n, %n, %n : (tensor<?x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_pad %b, %f, %m, %m, %m : (tensor<4xf32>, tensor<f32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.dynamic_pad %arg0, %arg1, %arg6, %arg6, %arg6 : (tensor<3xi1>, tensor<i1>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xi1>
// CHECK: %1 = stablehlo.dynamic_pad %arg2, %arg3, %arg6, %arg6, %arg6 : (tensor<3xcomplex<f32>>, tensor<complex<f32>>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xcomplex<f32>>
// CHECK: %2 = stablehlo.dynamic_pad %arg4, %arg5, %arg6, %arg6, %arg6 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %s: tensor<i1>, %b: tensor<3xcomplex<f32>>, %t: tensor<complex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>, %u: tensor<!quant.uniform<i8:f32, 0.5:3>>, %n: tensor<1xi8>) {
  %0 = stablehlo.dynamic_pad %a, %s, %n, %n, %n : (tensor<3xi1>, tensor<i1>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xi1>
  %1 = stablehlo.dynamic_pad %b, %t, %n, %n, %n : (tensor<3xcomplex<f32>>, tensor<complex<f32>>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?xcomplex<f32>>
  %2 = stablehlo.dynamic_pad %c, %u, %n, %n, %n : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg2, %arg2 : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
// CHECK: %1 = stablehlo.dynamic_pad %arg0, %arg1, %arg2, %arg2, %arg2 {tag} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
func.func @other_forms(%a: tensor<?xf32>, %f: tensor<f32>, %n: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_pad"(%a, %f, %n, %n, %n) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_pad %a, %f, %n, %n, %n {tag} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}
