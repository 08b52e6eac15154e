// RUN: not halo-run %s --backend=cpu 2>&1 | FileCheck %s
// RUN: not halo-run %s --backend=interpreter 2>&1 | FileCheck %s
// RUN: not halo-compile %s --backend=cuda --emit=ptx 2>&1 | FileCheck %s

module @first {
  func.func @main() {
    return
  }
}

module {
  // CHECK: ambiguous_modules.mlir:[[# @LINE + 1]]:3: error: expected one function 'main' as the entry, got 2, in these modules: @first, a module without a name
  func.func @main() {
    return
  }
}
