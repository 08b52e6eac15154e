// RUN: not halo-run %s --backend=cpu 2>&1 | FileCheck %s
// RUN: not halo-run %s --backend=cuda-emulator 2>&1 | FileCheck %s
// RUN: halo-opt %s --emit-bytecode -o %t.mlirbc
// RUN: not halo-run %t.mlirbc --backend=cpu 2>&1 | FileCheck %s

// The names of symbols end at a zero byte.
// CHECK: error: function "a\0b" has a zero byte in its name
func.func @"a\00b"() -> tensor<i32> {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  return %0 : tensor<i32>
}
