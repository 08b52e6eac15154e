// halo-opt knows all of upstream, the compiler the dialects that it lowers through.
// RUN: halo-opt %s --convert-arith-to-spirv | FileCheck %s
// RUN: not halo-run %s 2>&1 | FileCheck %s --check-prefix=DIALECT
// RUN: not halo-run %s --insert-passes=hlo:convert-arith-to-spirv 2>&1 | FileCheck %s --check-prefix=PASS

// CHECK: spirv.IAdd
// CHECK: spirv.IAdd
// DIALECT: upstream.mlir:[[#@LINE+3]]:{{[0-9]+}}: error: Dialect `spirv' not found
// PASS: error: {{.*}}convert-arith-to-spirv
func.func @main(%x: i32) -> i32 {
  %0 = spirv.IAdd %x, %x : i32
  %1 = arith.addi %0, %x : i32
  return %1 : i32
}
