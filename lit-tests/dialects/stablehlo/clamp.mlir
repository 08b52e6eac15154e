// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @bounds(
// CHECK: %0 = stablehlo.clamp %arg0, %arg0, %arg0 : tensor<3xf32>
// CHECK: %1 = stablehlo.clamp %arg1, %arg0, %arg1 : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: %2 = stablehlo.clamp %arg1, %arg0, %arg0 : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: %3 = stablehlo.clamp %arg0, %arg0, %arg1 : (tensor<3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
func.func @bounds(%a: tensor<3xf32>, %s: tensor<f32>) {
  %0 = stablehlo.clamp %a, %a, %a : tensor<3xf32>
  %1 = stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = stablehlo.clamp %s, %a, %a : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %3 = stablehlo.clamp %a, %a, %s : (tensor<3xf32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// CHECK-LABEL: func.func @element_types(
// CHECK: %0 = stablehlo.clamp %arg0, %arg0, %arg0 : tensor<3xi1>
// CHECK: %1 = stablehlo.clamp %arg1, %arg1, %arg1 : tensor<3xui16>
// CHECK: %2 = stablehlo.clamp %arg2, %arg2, %arg2 : tensor<3xbf16>
// CHECK: %3 = stablehlo.clamp %arg3, %arg3, %arg3 : tensor<3xcomplex<f32>>
// CHECK: %4 = stablehlo.clamp %arg4, %arg4, %arg4 : tensor<3x!quant.uniform<i8:f32, 5.000000e-01:3>>
func.func @element_types(%a: tensor<3xi1>, %b: tensor<3xui16>, %c: tensor<3xbf16>, %d: tensor<3xcomplex<f32>>, %e: tensor<3x!quant.uniform<i8:f32, 0.5:3>>) {
  %0 = stablehlo.clamp %a, %a, %a : tensor<3xi1>
  %1 = stablehlo.clamp %b, %b, %b : tensor<3xui16>
  %2 = stablehlo.clamp %c, %c, %c : tensor<3xbf16>
  %3 = stablehlo.clamp %d, %d, %d : tensor<3xcomplex<f32>>
  %4 = stablehlo.clamp %e, %e, %e : tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  return
}

// CHECK-LABEL: func.func @shapes(
// CHECK: %0 = stablehlo.clamp %arg0, %arg0, %arg0 : tensor<?xi32>
// CHECK: %1 = stablehlo.clamp %arg0, %arg1, %arg0 : (tensor<?xi32>, tensor<5xi32>, tensor<?xi32>) -> tensor<5xi32>
// CHECK: %2 = stablehlo.clamp %arg3, %arg2, %arg3 : (tensor<i32>, tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
func.func @shapes(%a: tensor<?xi32>, %b: tensor<5xi32>, %c: tensor<?xi32, #stablehlo.bounds<4>>, %s: tensor<i32>) {
  %0 = stablehlo.clamp %a, %a, %a : tensor<?xi32>
  %1 = stablehlo.clamp %a, %b, %a : (tensor<?xi32>, tensor<5xi32>, tensor<?xi32>) -> tensor<5xi32>
  %2 = stablehlo.clamp %s, %c, %s : (tensor<i32>, tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.clamp %arg1, %arg0, %arg1 : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: %1 = stablehlo.clamp %arg0, %arg0, %arg0 {tag} : tensor<3xf32>
func.func @other_forms(%a: tensor<3xf32>, %s: tensor<f32>) {
  %0 = "stablehlo.clamp"(%s, %a, %s) : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.clamp %a, %a, %a {tag} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
