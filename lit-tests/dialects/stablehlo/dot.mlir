// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @ranks(
// CHECK: %0 = stablehlo.dot %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %1 = stablehlo.dot %arg0, %arg2 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
// CHECK: %2 = stablehlo.dot %arg2, %arg1 : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
// CHECK: %3 = stablehlo.dot %arg2, %arg2 : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
func.func @ranks(%m: tensor<2x3xf32>, %n: tensor<3x4xf32>, %v: tensor<3xf32>) {
  %0 = stablehlo.dot %m, %n : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %2 = stablehlo.dot %v, %n : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  %3 = stablehlo.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @precision(
// CHECK: %0 = stablehlo.dot %arg0, %arg1, precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %1 = stablehlo.dot %arg0, %arg1, precision = [HIGHEST, HIGHEST] {tag} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @precision(%m: tensor<2x3xf32>, %n: tensor<3x4xf32>) {
  %0 = stablehlo.dot %m, %n, precision = [DEFAULT, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.dot %m, %n, precision = [HIGHEST, HIGHEST] {tag} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.dot %arg0, %arg0 : (tensor<3xi8>, tensor<3xi8>) -> tensor<i32>
// CHECK: %1 = stablehlo.dot %arg1, %arg1 : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<complex<f64>>
// CHECK: %2 = stablehlo.dot %arg2, %arg3 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01>>, tensor<3x!quant.uniform<i8:f32, 2.500000e-01>>) -> tensor<!quant.uniform<i32:f32, 1.250000e-01>>
func.func @element_types(%a: tensor<3xi8>, %b: tensor<3xcomplex<f64>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5>>, %d: tensor<3x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.dot %a, %a : (tensor<3xi8>, tensor<3xi8>) -> tensor<i32>
  %1 = stablehlo.dot %b, %b : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<complex<f64>>
  %2 = stablehlo.dot %c, %d : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<3x!quant.uniform<i8:f32, 0.25>>) -> tensor<!quant.uniform<i32:f32, 0.125>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.dot %arg0, %arg1 : (tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
func.func @dynamic(%a: tensor<?x3xf32>, %b: tensor<?x4xf32>) {
  %0 = stablehlo.dot %a, %b : (tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.dot %arg0, %arg1, precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK: %1 = stablehlo.dot %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @generic_form(%m: tensor<2x3xf32>, %n: tensor<3x4xf32>) {
  %0 = "stablehlo.dot"(%m, %n) <{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.dot"(%m, %n) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}
