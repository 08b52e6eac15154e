// RUN: not halo-opt %s --stablehlo-refine-shapes 2>&1 | FileCheck %s
// RUN: not halo-run %s 2>&1 | FileCheck %s --check-prefix=ENTRY

// MLIR lets names be any bytes; Halo's passes read text.

// CHECK: invalid_utf8.mlir:[[# @LINE + 2]]:1: error: 'func.func' op has attribute 'sym_name', which is not valid UTF-8
// ENTRY: invalid_utf8.mlir:[[# @LINE + 1]]:1: error: the name of the entry is not valid UTF-8
func.func @"a\E2"() {
  return
}
