// RUN: halo-opt %s --halo-request-matrix-tiles --split-input-file | FileCheck %s

// The entry asks before it calls anything, and returns its status where the system refuses.

// CHECK-LABEL: llvm.func internal @kernel
//   CHECK-NOT:   inline_asm
// CHECK-LABEL: llvm.func @main__entry
//  CHECK-SAME:   %[[CONTEXT:[a-z0-9]+]]: !llvm.ptr
//   CHECK-DAG:   %[[CALL:.*]] = llvm.mlir.constant(158 : i64)
//   CHECK-DAG:   %[[REQUEST:.*]] = llvm.mlir.constant(4131 : i64)
//   CHECK-DAG:   %[[FEATURE:.*]] = llvm.mlir.constant(18 : i64)
//       CHECK:   %[[RESULT:.*]] = llvm.inline_asm has_side_effects "syscall", "={ax},{ax},{di},{si},~{rcx},~{r11},~{memory}" %[[CALL]], %[[REQUEST]], %[[FEATURE]] : (i64, i64, i64) -> i64
//       CHECK:   %[[ZERO:.*]] = llvm.mlir.constant(0 : i64)
//       CHECK:   %[[REFUSED:.*]] = llvm.icmp "ne" %[[RESULT]], %[[ZERO]]
//       CHECK:   llvm.cond_br %[[REFUSED]], ^bb2, ^bb1
//       CHECK: ^bb1:
//       CHECK:   llvm.call @main(%[[CONTEXT]])
//       CHECK: ^bb2:
//  CHECK-NEXT:   %[[STATUS:.*]] = llvm.mlir.constant(2 : i32)
//  CHECK-NEXT:   llvm.return %[[STATUS]]
module {
  llvm.func internal @kernel() {
    %rows = llvm.mlir.constant(16 : i16) : i16
    %bytes = llvm.mlir.constant(64 : i16) : i16
    %0 = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%rows, %bytes) : (i16, i16) -> !llvm.x86_amx
    llvm.return
  }
  llvm.func internal @main(%context: !llvm.ptr) {
    llvm.call @kernel() : () -> ()
    llvm.return
  }
  llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.call @main(%context) : (!llvm.ptr) -> ()
    llvm.return %0 : i32
  }
}

// -----

// Code without tiles asks for nothing.

// CHECK-LABEL: llvm.func @main__entry
//   CHECK-NOT:   inline_asm
//       CHECK:   llvm.return
module {
  llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.return %0 : i32
  }
}
