// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @ranks(
// CHECK: %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg3, %arg3 : (tensor<8x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
// CHECK: %1 = stablehlo.dynamic_update_slice %arg2, %arg2 : (tensor<f32>, tensor<f32>) -> tensor<f32>
func.func @ranks(%a: tensor<8x6xf32>, %b: tensor<2x3xf32>, %s: tensor<f32>, %i: tensor<i32>) {
  %0 = stablehlo.dynamic_update_slice %a, %b, %i, %i : (tensor<8x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
  %1 = stablehlo.dynamic_update_slice %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.dynamic_update_slice %arg0, %arg0, %arg3 : (tensor<3xi1>, tensor<3xi1>, tensor<ui32>) -> tensor<3xi1>
// CHECK: %1 = stablehlo.dynamic_update_slice %arg1, %arg1, %arg3 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<ui32>) -> tensor<3xcomplex<f32>>
// CHECK: %2 = stablehlo.dynamic_update_slice %arg2, %arg2, %arg3 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<ui32>) -> tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xcomplex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>, %i: tensor<ui32>) {
  %0 = stablehlo.dynamic_update_slice %a, %a, %i : (tensor<3xi1>, tensor<3xi1>, tensor<ui32>) -> tensor<3xi1>
  %1 = stablehlo.dynamic_update_slice %b, %b, %i : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<ui32>) -> tensor<3xcomplex<f32>>
  %2 = stablehlo.dynamic_update_slice %c, %c, %i : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<ui32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg3 : (tensor<?xf32>, tensor<2xf32>, tensor<i64>) -> tensor<?xf32>
// CHECK: %1 = stablehlo.dynamic_update_slice %arg2, %arg1, %arg3 : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<2xf32>, tensor<i64>) -> tensor<?xf32, #stablehlo.bounds<4>>
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<2xf32>, %c: tensor<?xf32, #stablehlo.bounds<4>>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<?xf32>, tensor<2xf32>, tensor<i64>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_update_slice %c, %b, %i : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<2xf32>, tensor<i64>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
// CHECK: %1 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 {tag} : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
func.func @other_forms(%a: tensor<8xf32>, %b: tensor<2xf32>, %i: tensor<i32>) {
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %i) : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  %1 = stablehlo.dynamic_update_slice %a, %b, %i {tag} : (tensor<8xf32>, tensor<2xf32>, tensor<i32>) -> tensor<8xf32>
  return
}
