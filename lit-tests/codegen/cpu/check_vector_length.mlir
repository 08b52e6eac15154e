// RUN: halo-opt %s --halo-check-vector-length=bits=256 --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-check-vector-length=streaming-bits=512 --split-input-file | FileCheck %s --check-prefix=LINUX
// RUN: halo-opt %s '--halo-check-vector-length=streaming-bits=512 linux=false' --split-input-file | FileCheck %s --check-prefix=OTHER
// RUN: halo-opt %s '--halo-check-vector-length=bits=128 streaming-bits=512' --split-input-file | FileCheck %s --check-prefix=BOTH

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

// Nothing here is in streaming mode.

// LINUX-LABEL: llvm.func internal @main(
//   LINUX-NOT:   inline_asm
// LINUX-LABEL: llvm.func internal @streaming_main(
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

// -----

// Linux says how long vectors of streaming mode are, or that there are none. Other systems run the
// instruction.

// LINUX-LABEL: llvm.func @main__entry
//  LINUX-NEXT:   %[[CALL:.*]] = llvm.mlir.constant(167 : i64)
//  LINUX-NEXT:   %[[QUESTION:.*]] = llvm.mlir.constant(64 : i64)
//  LINUX-NEXT:   %[[MASK:.*]] = llvm.mlir.constant(65535 : i64)
//  LINUX-NEXT:   %[[ANSWER:.*]] = llvm.inline_asm has_side_effects "svc #0", "={x0},{x8},{x0},~{memory}" %[[CALL]], %[[QUESTION]] : (i64, i64) -> i64
//  LINUX-NEXT:   %[[BYTES:.*]] = llvm.and %[[ANSWER]], %[[MASK]]
//  LINUX-NEXT:   %[[EXPECTED:.*]] = llvm.mlir.constant(64 : i64)
//  LINUX-NEXT:   llvm.icmp "ne" %[[BYTES]], %[[EXPECTED]]

// OTHER-LABEL: llvm.func internal @streaming_main(
//       OTHER: llvm.func @main__entry
//  OTHER-NEXT:   llvm.inline_asm has_side_effects "rdsvl $0, #1", "=r" : () -> i64

//  BOTH-LABEL: llvm.func internal @streaming_main(
//        BOTH: llvm.func @main__entry
//  BOTH-NEXT:    llvm.inline_asm has_side_effects "rdvl $0, #1", "=r" : () -> i64
//  BOTH-NEXT:    llvm.mlir.constant(16 : i64)
//        BOTH:   llvm.inline_asm has_side_effects "svc #0"
module {
  llvm.func internal @streaming_main(%context: !llvm.ptr) attributes {arm_locally_streaming} {
    llvm.return
  }
  llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
    %0 = llvm.mlir.constant(0 : i32) : i32
    llvm.call @streaming_main(%context) : (!llvm.ptr) -> ()
    llvm.return %0 : i32
  }
}

// -----

// Memory on the stack stays in the first block.

// CHECK-LABEL: llvm.func @main__entry
//       CHECK:   llvm.alloca
//  CHECK-NEXT:   llvm.inline_asm
//       CHECK:   llvm.cond_br
module {
  llvm.func @main__entry(%context: !llvm.ptr, %buffers: !llvm.ptr) -> i32 {
    %one = llvm.mlir.constant(1 : i64) : i64
    %0 = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
    %status = llvm.mlir.constant(0 : i32) : i32
    llvm.store %buffers, %0 : !llvm.ptr, !llvm.ptr
    llvm.return %status : i32
  }
}
