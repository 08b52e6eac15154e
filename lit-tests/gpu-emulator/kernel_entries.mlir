// RUN: halo-opt %s --halo-kernel-entries | FileCheck %s

// CHECK: llvm.func internal @scale
// CHECK-LABEL: llvm.func @scale__entry
//  CHECK-SAME:   (%[[BEGIN:[^:]*]]: i64, %[[END:[^:]*]]: i64, %{{.*}}: i64, %[[Z:[^:]*]]: i64, %[[TABLE:[^:]*]]: !llvm.ptr)
//       CHECK:   %[[SLOT0:.*]] = llvm.getelementptr %[[TABLE]][0]
//       CHECK:   %[[P:.*]] = llvm.load %[[SLOT0]] : !llvm.ptr -> !llvm.ptr
//       CHECK:   %[[SLOT1:.*]] = llvm.getelementptr %[[TABLE]][1] : (!llvm.ptr) -> !llvm.ptr, i64
//       CHECK:   %[[F:.*]] = llvm.load %[[SLOT1]] : !llvm.ptr -> f32
//       CHECK:   %[[SLOT2:.*]] = llvm.getelementptr %[[TABLE]][2]
//       CHECK:   %[[BYTE:.*]] = llvm.load %[[SLOT2]] : !llvm.ptr -> i8
//       CHECK:   %[[FLAG:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
//       CHECK:   llvm.call @scale(%[[BEGIN]], %[[END]], {{.*}}, %[[Z]], %[[P]], %[[F]], %[[FLAG]])
//       CHECK:   llvm.return
llvm.func @scale(%begin: i64, %end: i64, %gx: i64, %gy: i64, %gz: i64, %x: i64, %y: i64, %z: i64,
    %p: !llvm.ptr, %f: f32, %flag: i1) attributes {halo.kernel} {
  llvm.return
}

// What is no kernel gets none.

// CHECK-NOT: @helper__entry
llvm.func @helper() {
  llvm.return
}
