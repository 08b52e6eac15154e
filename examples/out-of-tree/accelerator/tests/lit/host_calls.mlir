// Ops that the accelerator lacks are functions of the host, which work on its memory: one for
// consecutive ops.
//
// RUN: tile-run %s --backend=tiles --input='dense<[4.0, 9.0]> : tensor<2xf32>'
// RUN: not tile-run %s --backend=tiles --input='dense<[4.0, 8.0]> : tensor<2xf32>' 2>&1 | FileCheck %s
// RUN: tile-run %s --backend=tiles --compile-to=asm | FileCheck %s --check-prefix=ASM
// RUN: not tile-run %s --backend=tiles --entry=unknown --random-inputs 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: host_calls.mlir:[[@LINE+9]]:3: error:
// ASM: host 0 stablehlo.custom_call
// ASM: squareroot t0, t0
// ASM: call 0
func.func @main(%x: tensor<2xf32>) {
  %0 = stablehlo.sqrt %x : tensor<2xf32>
  %1 = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %2 = stablehlo.negate %1 : tensor<2xf32>
  %3 = stablehlo.abs %2 : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%0, %3) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  return
}

// UNKNOWN: host_calls.mlir:[[@LINE+2]]:8: error: no custom call @nobody is registered
func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @nobody(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
