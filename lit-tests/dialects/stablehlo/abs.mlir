// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.abs %arg0 : tensor<3xi4>
// CHECK: %1 = stablehlo.abs %arg1 : tensor<3xi32>
// CHECK: %2 = stablehlo.abs %arg2 : tensor<3xf8E3M4>
// CHECK: %3 = stablehlo.abs %arg3 : tensor<3xbf16>
// CHECK: %4 = stablehlo.abs %arg4 : tensor<3xf64>
// CHECK: %5 = stablehlo.abs %arg5 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi4>, %b: tensor<3xi32>, %c: tensor<3xf8E3M4>, %d: tensor<3xbf16>, %e: tensor<3xf64>, %f: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.abs %a : tensor<3xi4>
  %1 = stablehlo.abs %b : tensor<3xi32>
  %2 = stablehlo.abs %c : tensor<3xf8E3M4>
  %3 = stablehlo.abs %d : tensor<3xbf16>
  %4 = stablehlo.abs %e : tensor<3xf64>
  %5 = stablehlo.abs %f : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.abs %arg0 : tensor<f32>
// CHECK: %1 = stablehlo.abs %arg1 : tensor<0x4xf32>
// CHECK: %2 = stablehlo.abs %arg2 : tensor<?x3xf32>
// CHECK: %3 = stablehlo.abs %arg2 : (tensor<?x3xf32>) -> tensor<5x3xf32>
// CHECK: %4 = stablehlo.abs %arg3 : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
func.func @shapes(%a: tensor<f32>, %b: tensor<0x4xf32>, %c: tensor<?x3xf32>, %d: tensor<?x3xf32, #stablehlo.bounds<8, ?>>) {
  %0 = stablehlo.abs %a : tensor<f32>
  %1 = stablehlo.abs %b : tensor<0x4xf32>
  %2 = stablehlo.abs %c : tensor<?x3xf32>
  %3 = stablehlo.abs %c : (tensor<?x3xf32>) -> tensor<5x3xf32>
  %4 = stablehlo.abs %d : tensor<?x3xf32, #stablehlo.bounds<8, ?>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.abs %arg0 : tensor<2xf32>
// CHECK: %1 = stablehlo.abs %arg0 {tag = "x"} : tensor<2xf32>
// CHECK: %2 = stablehlo.abs %arg0 : tensor<2xf32>
func.func @other_forms(%a: tensor<2xf32>) {
  %0 = "stablehlo.abs"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.abs"(%a) {tag = "x"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @complex(
// CHECK: %0 = stablehlo.abs %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: %1 = stablehlo.abs %arg1 : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
// CHECK: %2 = stablehlo.abs %arg0 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
func.func @complex(%a: tensor<2xcomplex<f32>>, %b: tensor<?xcomplex<f64>>) {
  %0 = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.abs %b : (tensor<?xcomplex<f64>>) -> tensor<?xf64>
  %2 = "stablehlo.abs"(%a) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return
}
