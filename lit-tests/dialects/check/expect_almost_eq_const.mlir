// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @tolerance(
// CHECK: check.expect_almost_eq_const %arg0, dense<1.000000e+00> : tensor<2xf32>
// CHECK: check.expect_almost_eq_const %arg1, dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f64>>
// CHECK: check.expect_almost_eq_const %arg0, dense<1.000000e+00> : tensor<2xf32>, tolerance = 5.000000e-01
// CHECK: check.expect_almost_eq_const %arg0, dense<2.000000e+00> : tensor<2xf32>, tolerance = 2.500000e-01
func.func @tolerance(%a: tensor<2xf32>, %b: tensor<complex<f64>>) {
  check.expect_almost_eq_const %a, dense<1.0> : tensor<2xf32>
  check.expect_almost_eq_const %b, dense<(1.0, 2.0)> : tensor<complex<f64>>
  check.expect_almost_eq_const %a, dense<1.0> : tensor<2xf32> {tolerance = 0.5 : f64}
  "check.expect_almost_eq_const"(%a) <{tolerance = 0.25 : f64, value = dense<2.0> : tensor<2xf32>}> : (tensor<2xf32>) -> ()
  return
}
