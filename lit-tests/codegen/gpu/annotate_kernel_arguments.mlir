// RUN: halo-opt --pass-pipeline='builtin.module(halo-annotate-kernel-arguments)' %s | FileCheck %s

// The first two arguments of @k lie apart in the arena, the third one in the
// second one. Private memory goes to the start.

// CHECK: gpu.func @k(%{{.*}}: memref<4xf32> {llvm.align = 16 : i64, llvm.noalias},
// CHECK-SAME: %{{.*}}: memref<4xf32> {llvm.align = 16 : i64},
// CHECK-SAME: %{{.*}}: memref<2xf32> {llvm.align = 16 : i64},
// CHECK-SAME: %{{.*}}: index)
// CHECK-NEXT: memref.alloca() : memref<2xf32>
module attributes {gpu.container_module} {
  func.func @main(%in: memref<4xf32>, %arena: memref<256xi8>) attributes {halo.entry} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
    %b = memref.view %arena[%c64][] : memref<256xi8> to memref<4xf32>
    %c = memref.view %arena[%c64][] : memref<256xi8> to memref<2xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<4xf32>, %b : memref<4xf32>, %c : memref<2xf32>, %c1 : index)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<2xf32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %0 = memref.alloca() : memref<2xf32>
        %1 = memref.load %a[%i] : memref<4xf32>
        memref.store %1, %0[%c0] : memref<2xf32>
      }
      gpu.return
    }
  }
}
