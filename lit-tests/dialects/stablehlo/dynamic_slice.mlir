// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @ranks(
// CHECK: %0 = stablehlo.dynamic_slice %arg0, %arg2, %arg3, sizes = [2, 3] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK: %1 = stablehlo.dynamic_slice %arg1, %arg3, sizes = [5] : (tensor<8xf32>, tensor<i32>) -> tensor<5xf32>
func.func @ranks(%a: tensor<8x6xf32>, %b: tensor<8xf32>, %i: tensor<i32>, %j: tensor<i32>) {
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 3] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %1 = stablehlo.dynamic_slice %b, %j, sizes = [5] : (tensor<8xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @index_types(
// CHECK: %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [8] : (tensor<8xf32>, tensor<i8>) -> tensor<8xf32>
// CHECK: %1 = stablehlo.dynamic_slice %arg0, %arg2, sizes = [0] : (tensor<8xf32>, tensor<ui64>) -> tensor<0xf32>
func.func @index_types(%a: tensor<8xf32>, %i: tensor<i8>, %j: tensor<ui64>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [8] : (tensor<8xf32>, tensor<i8>) -> tensor<8xf32>
  %1 = stablehlo.dynamic_slice %a, %j, sizes = [0] : (tensor<8xf32>, tensor<ui64>) -> tensor<0xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.dynamic_slice %arg0, %arg3, sizes = [1] : (tensor<3xi1>, tensor<i64>) -> tensor<1xi1>
// CHECK: %1 = stablehlo.dynamic_slice %arg1, %arg3, sizes = [2] : (tensor<3xcomplex<f32>>, tensor<i64>) -> tensor<2xcomplex<f32>>
// CHECK: %2 = stablehlo.dynamic_slice %arg2, %arg3, sizes = [2] : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>, tensor<i64>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xcomplex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [1] : (tensor<3xi1>, tensor<i64>) -> tensor<1xi1>
  %1 = stablehlo.dynamic_slice %b, %i, sizes = [2] : (tensor<3xcomplex<f32>>, tensor<i64>) -> tensor<2xcomplex<f32>>
  %2 = stablehlo.dynamic_slice %c, %i, sizes = [2] : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>, tensor<i64>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
func.func @dynamic(%a: tensor<?x4xf32>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
// CHECK: %1 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] {tag} : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
func.func @other_forms(%a: tensor<8xf32>, %i: tensor<i32>) {
  %0 = "stablehlo.dynamic_slice"(%a, %i) <{slice_sizes = array<i64: 4>}> : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  %1 = stablehlo.dynamic_slice %a, %i, sizes = [1] {tag} : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
  return
}

// Nothing stands before `sizes` for a scalar; the comma of an empty list is read
// too.
// CHECK-LABEL: func.func @scalar(
// CHECK: %0 = stablehlo.dynamic_slice %arg0, sizes = [] : (tensor<f32>) -> tensor<f32>
// CHECK: %1 = stablehlo.dynamic_slice %arg0, sizes = [] : (tensor<f32>) -> tensor<f32>
func.func @scalar(%a: tensor<f32>) {
  %0 = stablehlo.dynamic_slice %a, sizes = [] : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.dynamic_slice %a, , sizes = [] : (tensor<f32>) -> tensor<f32>
  return
}
