// RUN: halo-opt %s --pass-pipeline='builtin.module(gpu.module(halo-mark-grid-constants))' | FileCheck %s

gpu.module @kernels {
  // Buffers keep their attributes.
  // CHECK: llvm.func @kernel(%{{.*}}: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias},
  // CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant})
  llvm.func @kernel(%buffer: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias},
      %map: !llvm.ptr {llvm.dereferenceable = 128 : i64}) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
