// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @widths(
// CHECK: %0 = stablehlo.bitcast_convert %arg0 : (tensor<3xf32>) -> tensor<3xui32>
// CHECK: %1 = stablehlo.bitcast_convert %arg1 : (tensor<3xf64>) -> tensor<3x4xi16>
// CHECK: %2 = stablehlo.bitcast_convert %arg2 : (tensor<3x2xi16>) -> tensor<3xf32>
// CHECK: %3 = stablehlo.bitcast_convert %arg3 : (tensor<4x2xi4>) -> tensor<4xi8>
func.func @widths(%a: tensor<3xf32>, %b: tensor<3xf64>, %c: tensor<3x2xi16>, %d: tensor<4x2xi4>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<3xf32>) -> tensor<3xui32>
  %1 = stablehlo.bitcast_convert %b : (tensor<3xf64>) -> tensor<3x4xi16>
  %2 = stablehlo.bitcast_convert %c : (tensor<3x2xi16>) -> tensor<3xf32>
  %3 = stablehlo.bitcast_convert %d : (tensor<4x2xi4>) -> tensor<4xi8>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.bitcast_convert %arg0 : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
// CHECK: %1 = stablehlo.bitcast_convert %arg1 : (tensor<3x2xcomplex<f32>>) -> tensor<3xcomplex<f64>>
// CHECK: %2 = stablehlo.bitcast_convert %arg2 : (tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>) -> tensor<3xi8>
func.func @element_types(%a: tensor<3xcomplex<f32>>, %b: tensor<3x2xcomplex<f32>>, %c: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %1 = stablehlo.bitcast_convert %b : (tensor<3x2xcomplex<f32>>) -> tensor<3xcomplex<f64>>
  %2 = stablehlo.bitcast_convert %c : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3xi8>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %0 = stablehlo.bitcast_convert %arg0 : (tensor<?xf32>) -> tensor<?x4xi8>
// CHECK: %1 = stablehlo.bitcast_convert %arg1 : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi32, #stablehlo.bounds<4>>
func.func @dynamic(%a: tensor<?xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>) {
  %0 = stablehlo.bitcast_convert %a : (tensor<?xf32>) -> tensor<?x4xi8>
  %1 = stablehlo.bitcast_convert %b : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xi32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @generic_form(
// CHECK: %0 = stablehlo.bitcast_convert %arg0 : (tensor<2xf32>) -> tensor<2xi32>
// CHECK: %1 = stablehlo.bitcast_convert %arg0 {tag} : (tensor<2xf32>) -> tensor<2x2xbf16>
func.func @generic_form(%a: tensor<2xf32>) {
  %0 = "stablehlo.bitcast_convert"(%a) : (tensor<2xf32>) -> tensor<2xi32>
  %1 = "stablehlo.bitcast_convert"(%a) {tag} : (tensor<2xf32>) -> tensor<2x2xbf16>
  return
}
