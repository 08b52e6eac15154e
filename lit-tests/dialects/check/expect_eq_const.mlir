// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @types(
// CHECK: check.expect_eq_const %arg0, dense<[1, 2]> : tensor<2xi32>
// CHECK: check.expect_eq_const %arg1, dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK: check.expect_eq_const %arg2, dense<true> : tensor<2xi1> {tag}
// CHECK: check.expect_eq_const %arg0, dense<3> : tensor<2xi32>
func.func @types(%a: tensor<2xi32>, %b: tensor<complex<f32>>, %c: tensor<2xi1>) {
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %b, dense<(1.0, 2.0)> : tensor<complex<f32>>
  check.expect_eq_const %c, dense<true> : tensor<2xi1> {tag}
  "check.expect_eq_const"(%a) <{value = dense<3> : tensor<2xi32>}> : (tensor<2xi32>) -> ()
  return
}
