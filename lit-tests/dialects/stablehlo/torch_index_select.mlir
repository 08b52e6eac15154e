// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @dimensions(
// CHECK: %0 = "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
// CHECK: %1 = "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<5x2xf32>
// CHECK: %2 = "stablehlo.torch_index_select"(%arg2, %arg3) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<3x5x4xf32>, tensor<3x2xi64>) -> tensor<3x2x4xf32>
func.func @dimensions(%a: tensor<5x4xf32>, %i: tensor<2xi32>, %b: tensor<3x5x4xf32>, %j: tensor<3x2xi64>) {
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  %1 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<5x4xf32>, tensor<2xi32>) -> tensor<5x2xf32>
  %2 = "stablehlo.torch_index_select"(%b, %j) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<3x5x4xf32>, tensor<3x2xi64>) -> tensor<3x2x4xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = "stablehlo.torch_index_select"(%arg0, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<5xi1>, tensor<ui8>) -> tensor<i1>
// CHECK: %1 = "stablehlo.torch_index_select"(%arg1, %arg2) <{batch_dims = 0 : i64, dim = 0 : i64}> {tag} : (tensor<5xcomplex<f64>>, tensor<ui8>) -> tensor<complex<f64>>
func.func @element_types(%a: tensor<5xi1>, %b: tensor<5xcomplex<f64>>, %i: tensor<ui8>) {
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<5xi1>, tensor<ui8>) -> tensor<i1>
  %1 = "stablehlo.torch_index_select"(%b, %i) {batch_dims = 0 : i64, dim = 0 : i64, tag} : (tensor<5xcomplex<f64>>, tensor<ui8>) -> tensor<complex<f64>>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = "stablehlo.torch_index_select"(%arg0, %arg1) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
func.func @dynamic(%a: tensor<?x4xf32>, %i: tensor<?xi32>) {
  %0 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<?x4xf32>, tensor<?xi32>) -> tensor<?x4xf32>
  return
}
