// RUN: halo-opt %s --halo-lower-to-runtime-abi | FileCheck %s

llvm.func @halo_custom_call_3(!llvm.ptr)

// CHECK: llvm.func internal @kernel{{.*}} attributes {{{.*}}no_inline
llvm.func @kernel(%begin: i64, %end: i64, %x: !llvm.ptr) attributes {halo.kernel} {
  llvm.return
}

// CHECK-LABEL: llvm.func internal @main
// CHECK-SAME: (%[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr)
llvm.func @main(%context: !llvm.ptr, %x: !llvm.ptr, %arena: !llvm.ptr) attributes {halo.entry} {
  %begin = llvm.mlir.constant(0 : i64) : i64
  %end = llvm.mlir.constant(64 : i64) : i64

  // CHECK: llvm.getelementptr %[[CONTEXT]][8]
  // CHECK: llvm.call %{{.*}}(%[[CONTEXT]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> ()
  llvm.call @kernel(%begin, %end, %x) {halo.grain = 16 : i64} : (i64, i64, !llvm.ptr) -> ()

  // Work for one task is a plain call.
  // CHECK: llvm.call @kernel(%{{.*}}, %{{.*}}, %[[X]]) : (i64, i64, !llvm.ptr) -> ()
  llvm.call @kernel(%begin, %end, %x) {halo.grain = 64 : i64} : (i64, i64, !llvm.ptr) -> ()

  // CHECK: %[[SITE:.*]] = llvm.mlir.constant(3 : i64)
  // CHECK: llvm.getelementptr %[[CONTEXT]][16]
  // CHECK: %[[STATUS:.*]] = llvm.call %{{.*}}(%[[CONTEXT]], %[[SITE]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr) -> i32
  // What fails ends the program.
  // CHECK: %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]], %{{.*}} : i32
  // CHECK: llvm.cond_br %[[OK]], ^[[REST:.*]], ^[[FAILED:.*]]
  // CHECK: ^[[REST]]:
  // CHECK: llvm.mlir.constant(0 : i32) : i32
  // CHECK: llvm.return
  // CHECK: ^[[FAILED]]:
  // CHECK: llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.return
  llvm.call @halo_custom_call_3(%x) : (!llvm.ptr) -> ()
  llvm.return
}

// CHECK-LABEL: llvm.func internal @kernel__task
// CHECK: llvm.call @kernel(

// CHECK-LABEL: llvm.func @main__entry
// CHECK-SAME: (%[[CONTEXT:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr) -> i32
// CHECK: llvm.call @main(%[[CONTEXT]], %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
