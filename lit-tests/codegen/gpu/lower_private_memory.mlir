// RUN: halo-opt %s --pass-pipeline='builtin.module(gpu.module(halo-lower-private-memory))' | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @kernel
  llvm.func @kernel() {
    %n = llvm.mlir.constant(8 : i64) : i64
    // CHECK: %[[PRIVATE:.*]] = llvm.alloca %{{.*}} x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr<5>
    // CHECK: %[[ANYWHERE:.*]] = llvm.addrspacecast %[[PRIVATE]] : !llvm.ptr<5> to !llvm.ptr
    %0 = llvm.alloca %n x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
    // CHECK: llvm.load %[[ANYWHERE]] : !llvm.ptr -> f32
    %1 = llvm.load %0 : !llvm.ptr -> f32
    // CHECK: llvm.alloca %{{.*}} x i32 : (i64) -> !llvm.ptr<5>
    // CHECK-NOT: llvm.addrspacecast
    %2 = llvm.alloca %n x i32 : (i64) -> !llvm.ptr<5>
    llvm.return
  }
}
