// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @ranges(
// CHECK: %0 = stablehlo.slice %arg0 [2:8:3, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>
// CHECK: %1 = stablehlo.slice %arg0 [0:8, 1:6:5] : (tensor<8x6xf32>) -> tensor<8x1xf32>
// CHECK: %2 = stablehlo.slice %arg0 [3:3, 0:1] : (tensor<8x6xf32>) -> tensor<0x1xf32>
// CHECK: %3 = stablehlo.slice %arg1 [] : (tensor<f32>) -> tensor<f32>
func.func @ranges(%a: tensor<8x6xf32>, %s: tensor<f32>) {
  %0 = stablehlo.slice %a [2:8:3, 0:6] : (tensor<8x6xf32>) -> tensor<2x6xf32>
  %1 = stablehlo.slice %a [0:8:1, 1:6:5] : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %2 = stablehlo.slice %a [3:3, 0:1] : (tensor<8x6xf32>) -> tensor<0x1xf32>
  %3 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.slice %arg0 [0:2] : (tensor<3xi1>) -> tensor<2xi1>
// CHECK: %1 = stablehlo.slice %arg1 [1:2] : (tensor<3xcomplex<f32>>) -> tensor<1xcomplex<f32>>
// CHECK: %2 = stablehlo.slice %arg2 [0:3:2] : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xcomplex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.slice %a [0:2] : (tensor<3xi1>) -> tensor<2xi1>
  %1 = stablehlo.slice %b [1:2] : (tensor<3xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  %2 = stablehlo.slice %c [0:3:2] : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.slice %arg0 [1:5:3, 0:2] : (tensor<?x6xf32>) -> tensor<2x2xf32>
func.func @dynamic(%a: tensor<?x6xf32>) {
  %0 = stablehlo.slice %a [1:5:3, 0:2] : (tensor<?x6xf32>) -> tensor<2x2xf32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.slice %arg0 [0:8:2, 1:5] : (tensor<8x6xf32>) -> tensor<4x4xf32>
// CHECK: %1 = stablehlo.slice %arg0 [0:1, 0:1] {tag} : (tensor<8x6xf32>) -> tensor<1x1xf32>
func.func @other_forms(%a: tensor<8x6xf32>) {
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 1>, limit_indices = array<i64: 8, 5>, strides = array<i64: 2, 1>}> : (tensor<8x6xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.slice %a [0:1, 0:1] {tag} : (tensor<8x6xf32>) -> tensor<1x1xf32>
  return
}
