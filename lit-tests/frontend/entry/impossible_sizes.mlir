// RUN: not halo-run %s --input='dense<-4> : tensor<1xi32>' --backend=cpu 2>&1 | FileCheck %s
// RUN: not halo-run %s --input='dense<-4> : tensor<1xi32>' --backend=interpreter 2>&1 | FileCheck %s --check-prefix=EVALUATED

// A size that the program computes and no value has is a fault of the program.

// CHECK: impossible_sizes.mlir:[[# @LINE + 4]]:8: error: 'stablehlo.dynamic_iota' op attribute 'operand 0' has -4 for dimension 0, but must be at least 0
// CHECK-NOT: internal
// EVALUATED: impossible_sizes.mlir:[[# @LINE + 2]]:8: error: 'stablehlo.dynamic_iota' op has size -4 in operand 0
func.func @main(%n: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
