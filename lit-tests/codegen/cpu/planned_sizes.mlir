// RUN: halo-opt %s --halo-convert-to-llvm --halo-lower-to-runtime-abi | FileCheck %s

// The sizes of the inputs are read from a table, and the planned ones are written after them.

// CHECK-LABEL: llvm.func @main__sizes
//  CHECK-SAME:   (%[[TABLE:.*]]: !llvm.ptr) -> i32
//       CHECK:   %[[FIRST:.*]] = llvm.getelementptr %[[TABLE]][0]
//       CHECK:   %[[N:.*]] = llvm.load %[[FIRST]] : !llvm.ptr -> i64
//       CHECK:   %[[PLANNED:.*]] = llvm.getelementptr %[[TABLE]][1]
//       CHECK:   %[[TWICE:.*]] = llvm.mul %[[N]]
//       CHECK:   llvm.store %[[TWICE]], %[[PLANNED]]
//       CHECK:   %[[FITS:.*]] = llvm.icmp "slt" %[[N]]
//       CHECK:   %[[STATUS:.*]] = llvm.select %[[FITS]], %{{.*}}, %{{.*}} : i1, i32
//       CHECK:   llvm.return %[[STATUS]]

// The address of the table follows the buffers.

// CHECK-LABEL: llvm.func @main__entry
//  CHECK-SAME:   (%{{.*}}: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr) -> i32
//       CHECK:   llvm.getelementptr %[[BUFFERS]][0]
//       CHECK:   %[[SLOT:.*]] = llvm.getelementptr %[[BUFFERS]][1]
//       CHECK:   %[[SIZES:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> !llvm.ptr
//       CHECK:   %[[PLACE:.*]] = llvm.getelementptr %[[SIZES]][0]
//       CHECK:   llvm.load %[[PLACE]] : !llvm.ptr -> i64
//   CHECK-NOT:   halo.plan_sizes
func.func private @main(%context: !llvm.ptr, %x: memref<?xf32>, %n: index) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %twice = arith.muli %n, %c2 : index
  %fits = arith.cmpi slt, %n, %c100 : index
  halo.plan_sizes(%twice) checks(%fits) {messages = ["too many rows"]}
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %x[%i] : memref<?xf32>
  }
  return
}
