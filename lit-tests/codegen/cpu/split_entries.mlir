// RUN: halo-opt --pass-pipeline='builtin.module(halo-split-entries{piece-ops=2})' --split-input-file %s | FileCheck %s

// Addresses and constants are made anew in each piece, and the rest is an argument.

// CHECK-LABEL: llvm.func @main(
// CHECK-SAME: %[[ARENA:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr)
// CHECK-NEXT: llvm.call @main_piece_0(%[[ARENA]]) : (!llvm.ptr) -> ()
// CHECK-NEXT: llvm.call @main_piece_2(%[[OUT]], %[[ARENA]]) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT: llvm.call @main_piece_3(%[[OUT]]) : (!llvm.ptr) -> ()
// CHECK-NEXT: llvm.return

// CHECK: llvm.func internal @main_piece_0(%[[A:.*]]: !llvm.ptr) attributes {no_inline, optimize_none}
// CHECK-NEXT: %[[C:.*]] = llvm.mlir.constant(7 : i64)
// CHECK-NEXT: %[[SLOT:.*]] = llvm.getelementptr %[[A]][64]
// CHECK-NEXT: llvm.call @kernel(%[[C]], %[[SLOT]])
// CHECK-NEXT: llvm.call @kernel(%[[C]], %[[A]])
// CHECK-NEXT: llvm.return

// CHECK: llvm.func internal @main_piece_2(%[[O:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr)
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[A]][64]
// CHECK-NEXT: llvm.call @kernel(%{{.*}}, %[[O]])
// CHECK-NEXT: llvm.call @kernel(%{{.*}}, %[[SLOT]])

// CHECK: llvm.func internal @main_piece_3(%[[O:.*]]: !llvm.ptr)
// CHECK: llvm.call @kernel(%{{.*}}, %[[O]])
// CHECK-NEXT: llvm.return
module {
  llvm.func @kernel(i64, !llvm.ptr)
  llvm.func @main_piece_1(i64, !llvm.ptr)
  llvm.func @main(%arena: !llvm.ptr, %out: !llvm.ptr) attributes {halo.entry} {
    %c = llvm.mlir.constant(7 : i64) : i64
    %slot = llvm.getelementptr %arena[64] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.call @kernel(%c, %slot) : (i64, !llvm.ptr) -> ()
    llvm.call @kernel(%c, %arena) : (i64, !llvm.ptr) -> ()
    llvm.call @kernel(%c, %out) : (i64, !llvm.ptr) -> ()
    llvm.call @kernel(%c, %slot) : (i64, !llvm.ptr) -> ()
    llvm.call @kernel(%c, %out) : (i64, !llvm.ptr) -> ()
    llvm.return
  }
}

// -----

// What a later op uses is computed in the entry.

// CHECK-LABEL: llvm.func @main(
// CHECK: %[[N:.*]] = llvm.load %[[A:.*]] : !llvm.ptr -> i64
// CHECK-NEXT: llvm.call @main_piece_0(%[[N]], %[[A]])
// CHECK-NEXT: llvm.call @main_piece_1(%[[N]], %[[A]])
// CHECK-NEXT: llvm.call @main_piece_2(%[[N]], %[[A]])
// CHECK-NEXT: llvm.return
module {
  llvm.func @kernel(i64, !llvm.ptr)
  llvm.func @main(%a: !llvm.ptr) attributes {halo.entry} {
    %n = llvm.load %a : !llvm.ptr -> i64
    llvm.call @kernel(%n, %a) : (i64, !llvm.ptr) -> ()
    llvm.call @kernel(%n, %a) : (i64, !llvm.ptr) -> ()
    llvm.call @kernel(%n, %a) : (i64, !llvm.ptr) -> ()
    llvm.call @kernel(%n, %a) : (i64, !llvm.ptr) -> ()
    llvm.return
  }
}

// -----

// A block of up to twice the length stays whole.

// CHECK-LABEL: llvm.func @main(
// CHECK-COUNT-4: llvm.call @kernel
module {
  llvm.func @kernel(!llvm.ptr)
  llvm.func @main(%a: !llvm.ptr) attributes {halo.entry} {
    llvm.call @kernel(%a) : (!llvm.ptr) -> ()
    llvm.call @kernel(%a) : (!llvm.ptr) -> ()
    llvm.call @kernel(%a) : (!llvm.ptr) -> ()
    llvm.call @kernel(%a) : (!llvm.ptr) -> ()
    llvm.return
  }
}
