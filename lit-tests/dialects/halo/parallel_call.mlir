// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

func.func private @kernel(%begin: index, %end: index, %a: memref<64xf32>) attributes {halo.kernel} {
  return
}
func.func private @alone(%begin: index, %end: index) attributes {halo.kernel} {
  return
}

// CHECK-LABEL: func.func @main
// CHECK: halo.parallel_call @kernel from %c0 to %c64 grain 16 captures(%arg0 : memref<64xf32>)
// CHECK: halo.parallel_call @alone from %c0 to %c64 grain 1
func.func @main(%a: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  halo.parallel_call @kernel from %c0 to %c64 grain 16 captures(%a : memref<64xf32>)
  halo.parallel_call @alone from %c0 to %c64 grain 1
  return
}
