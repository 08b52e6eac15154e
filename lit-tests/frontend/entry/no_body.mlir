// RUN: not halo-run %s --backend=cpu 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not halo-run %s --backend=interpreter 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not halo-run %s --backend=cpu --entry=other 2>&1 | FileCheck %s --check-prefix=OTHER

// MAIN: no_body.mlir:[[# @LINE + 1]]:1: error: function 'main' has no body
func.func private @main() -> tensor<i32>

// OTHER: no_body.mlir:[[# @LINE + 1]]:1: error: function 'other' has no body
func.func private @other() -> tensor<i32>
