// RUN: halo-opt %s --halo-widen-bool-memory | FileCheck %s

// CHECK-LABEL: llvm.func @mask
//       CHECK:   llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
//       CHECK:   %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
//       CHECK:   %[[BOOL:.*]] = llvm.icmp "ne" %[[BYTE]], %{{.*}} : i8
//       CHECK:   %[[WIDE:.*]] = llvm.zext %[[BOOL]] : i1 to i8
//       CHECK:   llvm.store %[[WIDE]], %{{.*}} : i8, !llvm.ptr
llvm.func @mask(%from: !llvm.ptr, %to: !llvm.ptr, %i: i64) {
  %0 = llvm.getelementptr %from[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i1
  %1 = llvm.load %0 : !llvm.ptr -> i1
  llvm.store %1, %to : i1, !llvm.ptr
  llvm.return
}

// Other types stay as they are.

// CHECK-LABEL: llvm.func @number
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr -> f32
//       CHECK:   llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
llvm.func @number(%from: !llvm.ptr, %to: !llvm.ptr) {
  %0 = llvm.load %from : !llvm.ptr -> f32
  llvm.store %0, %to : f32, !llvm.ptr
  llvm.return
}
