// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @types(
// CHECK: check.expect_eq %arg0, %arg0 : tensor<2xi32>
// CHECK: check.expect_eq %arg1, %arg1 : tensor<2xcomplex<f32>>
// CHECK: check.expect_eq %arg2, %arg2 {tag} : tensor<i1>
// CHECK: check.expect_eq %arg3, %arg3 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
// CHECK: check.expect_eq %arg0, %arg0 : tensor<2xi32>
func.func @types(%a: tensor<2xi32>, %b: tensor<2xcomplex<f32>>, %c: tensor<i1>, %d: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) {
  check.expect_eq %a, %a : tensor<2xi32>
  check.expect_eq %b, %b : tensor<2xcomplex<f32>>
  check.expect_eq %c, %c {tag} : tensor<i1>
  check.expect_eq %d, %d : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  "check.expect_eq"(%a, %a) : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
