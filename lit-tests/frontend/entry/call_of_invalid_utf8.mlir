// RUN: not halo-run %s --random-inputs 2>&1 | FileCheck %s

// CHECK: call_of_invalid_utf8.mlir:[[# @LINE + 1]]:1: error: 'func.func' op has attribute 'sym_name', which is not valid UTF-8
func.func private @"b\E2"()
func.func private @c()

func.func @main() {
  call @"b\E2"() : () -> ()
  call @c() : () -> ()
  return
}
