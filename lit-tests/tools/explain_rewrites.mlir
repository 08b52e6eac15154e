// Remarks are printed, and the tools go on.
// RUN: env HALO_EXPLAIN_REWRITES=1 halo-run %s --input='[[1.0, 2.0]]' 2>&1 | FileCheck %s --check-prefixes=CHECK,ONCE
// RUN: env HALO_EXPLAIN_REWRITES=stablehlo-aggressive-simplification halo-compile %s -o %t.o 2>&1 | FileCheck %s
// RUN: env HALO_EXPLAIN_REWRITES=canonicalize halo-run %s --input='[[1.0, 2.0]]' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: env HALO_EXPLAIN_REWRITES=stablehlo-aggressive-simplification halo-opt %s --stablehlo-aggressive-simplification --verify-diagnostics

// CHECK: explain_rewrites.mlir:[[#@LINE+10]]:8: remark: pattern for 'stablehlo.reshape' does not match: the types of the operand and the result differ
// CHECK: explain_rewrites.mlir:[[#@LINE+9]]:8: remark: pattern for 'stablehlo.reshape' does not match: an operand is not defined by an op of the expected kind
// CHECK: explain_rewrites.mlir:[[#@LINE+8]]:8: remark: pattern for 'stablehlo.reshape' does not match: no operand or result is without elements
// ONCE-NOT: remark
// OTHER-NOT: remark

func.func @main(%x: tensor<1x2xf32>) -> tensor<2xf32> {
  // expected-remark@+3 {{pattern for 'stablehlo.reshape' does not match: the types of the operand}}
  // expected-remark@+2 {{pattern for 'stablehlo.reshape' does not match: an operand is not defined}}
  // expected-remark@+1 {{pattern for 'stablehlo.reshape' does not match: no operand or result is}}
  %0 = stablehlo.reshape %x : (tensor<1x2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
