// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @differences(
// CHECK: check.expect_close %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>
// CHECK: check.expect_close %arg0, %arg0, max_ulp_difference = 5 : tensor<2xf32>, tensor<2xf32>
// CHECK: check.expect_close %arg0, %arg0, max_ulp_difference = 5, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
// CHECK: check.expect_close %arg0, %arg0, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
// CHECK: check.expect_close %arg1, %arg1, max_ulp_difference = 0 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
// CHECK: check.expect_close %arg0, %arg0, max_ulp_difference = 7 : tensor<2xf32>, tensor<2xf32>
// CHECK: check.expect_close %arg0, %arg0, max_ulp_difference = 18446744073709551615 {tag} : tensor<2xf32>, tensor<2xf32>
func.func @differences(%a: tensor<2xf32>, %b: tensor<2xcomplex<f64>>) {
  check.expect_close %a, %a : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %a, max_ulp_difference = 5 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %a, max_ulp_difference = 5, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %a, %a, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %b, %b, max_ulp_difference = 0 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  "check.expect_close"(%a, %a) <{max_ulp_difference = 7 : ui64}> : (tensor<2xf32>, tensor<2xf32>) -> ()
  check.expect_close %a, %a, max_ulp_difference = 18446744073709551615 {tag} : tensor<2xf32>, tensor<2xf32>
  return
}
