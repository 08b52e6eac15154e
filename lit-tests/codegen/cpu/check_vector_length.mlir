// RUN: halo-opt %s --halo-check-vector-length=bits=256 | FileCheck %s

// The entry compares before it calls anything, and returns its status where the length differs.

// CHECK-LABEL: llvm.func internal @main(
//   CHECK-NOT:   inline_asm
// CHECK-LABEL: llvm.func @main__entry
//  CHECK-SAME:   %[[CONTEXT:[a-z0-9]+]]: !llvm.ptr
//  CHECK-NEXT:   %[[BYTES:.*]] = llvm.inline_asm has_side_effects "rdvl $0, #1", "=r" : () -> i64
//  CHECK-NEXT:   %[[EXPECTED:.*]] = llvm.mlir.constant(32 : i64)
//  CHECK-NEXT:   %[[DIFFERS:.*]] = llvm.icmp "ne" %[[BYTES]], %[[EXPECTED]]
//  CHECK-NEXT:   llvm.cond_br %[[DIFFERS]], ^bb2, ^bb1
//       CHECK: ^bb1:
//       CHECK:   llvm.call @main(%[[CONTEXT]])
//       CHECK: ^bb2:
//  CHECK-NEXT:   %[[STATUS:.*]] = llvm.mlir.constant(3 : i32)
//  CHECK-NEXT:   llvm.return %[[STATUS]]
module {
  llvm.func internal @main(%context: !llvm.ptr) {
    llvm.return
  }
  llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.call @main(%context) : (!llvm.ptr) -> ()
    llvm.return %0 : i32
  }
}
