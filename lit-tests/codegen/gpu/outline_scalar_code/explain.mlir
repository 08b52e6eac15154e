// RUN: halo-opt --pass-pipeline='builtin.module(func.func(halo-outline-scalar-code{explain}))' %s 2>&1 >/dev/null | FileCheck %s

// A loop in a kernel of one thread, and threads that share a longer loop.

// CHECK: explain.mlir:13:3: remark: {{.*}}runs on few threads: each of them runs many iterations in sequence (1 threads, 4000 iterations)
// CHECK-NOT: remark
func.func @main(%x: memref<4000xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c4000 = arith.constant 4000 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4000 step %c1 {
    memref.store %zero, %x[%i] : memref<4000xf32>
  }
  gpu.launch blocks(%a, %b, %c) in (%bx = %c1, %by = %c1, %bz = %c1)
      threads(%t, %u, %v) in (%tx = %c128, %ty = %c1, %tz = %c1) {
    scf.for %i = %t to %c4000 step %c128 {
      memref.store %zero, %x[%i] : memref<4000xf32>
    }
    gpu.terminator
  }
  return
}
