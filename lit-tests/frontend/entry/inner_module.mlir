// RUN: not halo-run %s --backend=cpu 2>&1 | FileCheck %s
// RUN: not halo-run %s --backend=interpreter 2>&1 | FileCheck %s
// RUN: not halo-compile %s --backend=cuda --emit=ptx 2>&1 | FileCheck %s

// A file of several modules is one module around them.
module @first {
  func.func @f() -> tensor<i32> {
    %0 = stablehlo.constant dense<1> : tensor<i32>
    return %0 : tensor<i32>
  }
}

module @second {
  // CHECK: inner_module.mlir:[[# @LINE + 1]]:3: error: function 'main' lies in a module within the program; the entry must be in the outermost one
  func.func @main() -> tensor<i32> {
    %0 = stablehlo.constant dense<2> : tensor<i32>
    return %0 : tensor<i32>
  }
}
