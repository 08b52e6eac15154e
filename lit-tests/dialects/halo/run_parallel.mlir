// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: %{{.*}}:2 = halo.run_parallel(%arg0) {infeed = ["feed"], programs = {{\[\[}}"one", "a \22name\22"], ["two", "one"]]} : (tensor<i32>) -> (tensor<i32>, tensor<f32>)
func.func @rows(%x: tensor<i32>) -> (tensor<i32>, tensor<f32>) {
  %0:2 = halo.run_parallel(%x) {infeed = ["feed"], programs = [["one", "a \22name\22"], ["two", "one"]]} : (tensor<i32>) -> (tensor<i32>, tensor<f32>)
  return %0#0, %0#1 : tensor<i32>, tensor<f32>
}

// CHECK-LABEL: func.func @tokens
// CHECK: %{{.*}} = halo.run_parallel(%arg0) {programs = {{\[\[}}"one"]]} : (!stablehlo.token) -> !stablehlo.token
func.func @tokens(%t: !stablehlo.token) -> !stablehlo.token {
  %0 = halo.run_parallel(%t) {programs = [["one"]]} : (!stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
