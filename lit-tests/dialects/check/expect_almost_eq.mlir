// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tolerance(
// CHECK: check.expect_almost_eq %arg0, %arg0 : tensor<2xf32>
// CHECK: check.expect_almost_eq %arg1, %arg1 : tensor<2xcomplex<f64>>
// CHECK: check.expect_almost_eq %arg0, %arg0, tolerance = 5.000000e-01 : tensor<2xf32>
// CHECK: check.expect_almost_eq %arg0, %arg0, tolerance = 2.500000e-01 : tensor<2xf32>
func.func @tolerance(%a: tensor<2xf32>, %b: tensor<2xcomplex<f64>>) {
  check.expect_almost_eq %a, %a : tensor<2xf32>
  check.expect_almost_eq %b, %b : tensor<2xcomplex<f64>>
  check.expect_almost_eq %a, %a {tolerance = 0.5 : f64} : tensor<2xf32>
  "check.expect_almost_eq"(%a, %a) <{tolerance = 0.25 : f64}> : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}
