// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @distributions(
// CHECK: %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
// CHECK: %0 = stablehlo.rng %arg0, %arg1, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
// CHECK: %1 = stablehlo.rng %arg0, %arg1, %c, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
func.func @distributions(%a: tensor<f32>, %b: tensor<f32>) {
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %c, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = stablehlo.rng %a, %b, %c, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @types(
// CHECK: %0 = stablehlo.rng %arg0, %arg0, %arg2, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xindex>) -> tensor<?xi32>
// CHECK: %1 = stablehlo.rng %arg1, %arg1, %arg3, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<0xi64>) -> tensor<i1>
func.func @types(%a: tensor<i32>, %b: tensor<i1>, %s: tensor<1xindex>, %t: tensor<0xi64>) {
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xindex>) -> tensor<?xi32>
  %1 = stablehlo.rng %b, %b, %t, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<0xi64>) -> tensor<i1>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.rng %arg0, %arg0, %arg1, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<2xi32>) -> tensor<?x?xf64>
// CHECK: %1 = stablehlo.rng %arg0, %arg0, %arg1, distribution = UNIFORM {tag} : (tensor<f64>, tensor<f64>, tensor<2xi32>) -> tensor<2x3xf64>
func.func @other_forms(%a: tensor<f64>, %s: tensor<2xi32>) {
  %0 = "stablehlo.rng"(%a, %a, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f64>, tensor<f64>, tensor<2xi32>) -> tensor<?x?xf64>
  %1 = stablehlo.rng %a, %a, %s, distribution = UNIFORM {tag} : (tensor<f64>, tensor<f64>, tensor<2xi32>) -> tensor<2x3xf64>
  return
}
