// RUN: not halo-run %s --backend=cpu 2>&1 | FileCheck %s
// RUN: not halo-run %s --backend=cuda-emulator 2>&1 | FileCheck %s

// A size that folding finds is a fault of the program, too.

// CHECK: impossible_folded_sizes.mlir:[[# @LINE + 6]]:8: error: 'stablehlo.dynamic_reshape' op attribute 'operand 1' has -4 for dimension 0, but must be at least 0
// CHECK-NOT: internal
func.func @main() -> tensor<?xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<4xf32>
  %n = stablehlo.constant dense<4> : tensor<1xi32>
  %m = stablehlo.negate %n : tensor<1xi32>
  %0 = stablehlo.dynamic_reshape %x, %m : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
