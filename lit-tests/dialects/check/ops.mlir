// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// All ops of the dialect.

// CHECK-LABEL: func.func @expectations(
func.func @expectations(%a: tensor<2xf32>, %i: tensor<2xi32>) {
  // CHECK: check.expect_eq %arg1, %arg1 : tensor<2xi32>
  check.expect_eq %i, %i : tensor<2xi32>
  // CHECK: check.expect_eq_const %arg1, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %i, dense<[1, 2]> : tensor<2xi32>
  // CHECK: check.expect_almost_eq %arg0, %arg0 : tensor<2xf32>
  check.expect_almost_eq %a, %a : tensor<2xf32>
  // CHECK: check.expect_almost_eq_const %arg0, dense<1.000000e+00> : tensor<2xf32>
  check.expect_almost_eq_const %a, dense<1.0> : tensor<2xf32>
  // CHECK: check.expect_close %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %a : tensor<2xf32>, tensor<2xf32>
  // CHECK: check.expect_close %arg0, %arg0, max_ulp_difference = 5, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %a, max_ulp_difference = 5, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  // CHECK: check.expect_serialized_eq %arg0, probe_id = "p" : tensor<2xf32>
  check.expect_serialized_eq %a, probe_id = "p" : tensor<2xf32>
  // CHECK: check.expect_serialized_eq %arg0, probe_id = "p", iter = 2 : tensor<2xf32>
  check.expect_serialized_eq %a, probe_id = "p", iter = 2 : tensor<2xf32>
  return
}
