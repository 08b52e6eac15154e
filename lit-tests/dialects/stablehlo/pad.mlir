// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @amounts(
// CHECK: %0 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
// CHECK: %1 = stablehlo.pad %arg0, %arg1, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %2 = stablehlo.pad %arg1, %arg1, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
func.func @amounts(%a: tensor<2x3xf32>, %s: tensor<f32>) {
  %0 = stablehlo.pad %a, %s, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
  %1 = stablehlo.pad %a, %s, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %2 = stablehlo.pad %s, %s, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [0], interior = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<4xi1>
// CHECK: %1 = stablehlo.pad %arg2, %arg3, low = [0], high = [1], interior = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
// CHECK: %2 = stablehlo.pad %arg4, %arg5, low = [0], high = [0], interior = [1] : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<5x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %s: tensor<i1>, %b: tensor<3xcomplex<f32>>, %t: tensor<complex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>, %u: tensor<!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.pad %a, %s, low = [1], high = [0], interior = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<4xi1>
  %1 = stablehlo.pad %b, %t, low = [0], high = [1], interior = [0] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  %2 = stablehlo.pad %c, %u, low = [0], high = [0], interior = [1] : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<5x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.pad %arg0, %arg2, low = [1], high = [1], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
// CHECK: %1 = stablehlo.pad %arg1, %arg2, low = [1], high = [1], interior = [0] : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<6>>
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>, %s: tensor<f32>) {
  %0 = stablehlo.pad %a, %s, low = [1], high = [1], interior = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.pad %b, %s, low = [1], high = [1], interior = [0] : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [2], interior = [3] : (tensor<2xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: %1 = stablehlo.pad %arg0, %arg1, low = [0], high = [1], interior = [0] {tag} : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
func.func @other_forms(%a: tensor<2xf32>, %s: tensor<f32>) {
  %0 = "stablehlo.pad"(%a, %s) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 2>, interior_padding = array<i64: 3>}> : (tensor<2xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.pad %a, %s, low = [0], high = [1], interior = [0] {tag} : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return
}
