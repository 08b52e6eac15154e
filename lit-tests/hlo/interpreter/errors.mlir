// What ends a program, and what is said about it: the place, the op, the cause.

// RUN: not halo-run --backend=interpreter --entry=different %s 2>&1 | FileCheck %s --check-prefix=DIFFERENT
// RUN: not halo-run --backend=interpreter --entry=far %s 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not halo-run --backend=interpreter --entry=near %s 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not halo-run --backend=interpreter --entry=tolerance %s 2>&1 | FileCheck %s --check-prefix=TOLERANCE
// RUN: not halo-run --backend=interpreter --entry=unseen %s 2>&1 | FileCheck %s --check-prefix=UNSEEN
// RUN: not halo-run --backend=interpreter --entry=unknown_call %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN-CALL
// RUN: not halo-run --backend=interpreter --entry=endless %s 2>&1 | FileCheck %s --check-prefix=ENDLESS

// DIFFERENT: errors.mlir:[[#@LINE+6]]:3: error: 'check.expect_eq' op 1 of 3 elements differ (exact); worst at [1]: 5, expected 7
func.func @different() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y = stablehlo.constant dense<[0, 3, 0]> : tensor<3xi32>
  %z = stablehlo.add %x, %y : tensor<3xi32>
  %expected = stablehlo.constant dense<[1, 7, 3]> : tensor<3xi32>
  check.expect_eq %z, %expected : tensor<3xi32>
  func.return
}

// The distance of 1 and 1 + 2^-21 is four units of 2^-23.
// FAR: error: 'check.expect_close' op 1 of 2 elements differ (at most 3 ULP); worst at [1]: 1.00000048, expected 1.000000e+00 (off by {{.*}}, 4 ULP)
func.func @far() {
  %x = stablehlo.constant dense<[1.0, 1.0000004768371582]> : tensor<2xf32>
  %y = stablehlo.constant dense<1.0> : tensor<2xf32>
  check.expect_close %x, %y : tensor<2xf32>, tensor<2xf32>
  func.return
}

// NEAR: error: 'check.expect_close' op {{.*}}at least 2 ULP were expected
func.func @near() {
  %x = stablehlo.constant dense<1.5> : tensor<f64>
  check.expect_close %x, %x, max_ulp_difference = 3, min_ulp_difference = 2 : tensor<f64>, tensor<f64>
  func.return
}

// TOLERANCE: error: 'check.expect_almost_eq_const' op 1 of 2 elements differ
func.func @tolerance() {
  %x = stablehlo.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<[0.0, 2.0005]> : tensor<2xf32>
  func.return
}

// UNSEEN: error: 'check.expect_serialized_eq' op finds no run 1 of probe 'p', which has 1
func.func @unseen() {
  %x = stablehlo.constant dense<1.5> : tensor<f64>
  %y = interpreter.probe %x, probe_id = "p" : tensor<f64>
  check.expect_serialized_eq %y, probe_id = "p", iter = 1 : tensor<f64>
  func.return
}

// UNKNOWN-CALL: errors.mlir:[[#@LINE+3]]:8: error: {{.*}}nobody_knows_this
func.func @unknown_call() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.custom_call @nobody_knows_this(%x) : (tensor<i32>) -> tensor<i32>
  func.return
}

// ENDLESS: error: 'func.call' op is nested more than {{[0-9]+}} levels deep
func.func @endless() {
  func.call @endless() : () -> ()
  func.return
}
