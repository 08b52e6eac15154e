// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-buffer-assignment),canonicalize,cse)' --split-input-file | FileCheck %s

// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-buffer-assignment{explain=true}))' --split-input-file 2>&1 >/dev/null | FileCheck %s --check-prefix=EXPLAIN

// The third buffer takes the place of the first, which nothing uses any more.

// EXPLAIN: remark: has an arena of 512 bytes for 3 buffers; 512 bytes are live at once, in 2 buffers; an op needs 512 bytes in any order
// EXPLAIN: buffer_assignment.mlir:[[#@LINE+14]]:8: note: 256 bytes, 'memref<64xf32>'
// EXPLAIN: buffer_assignment.mlir:[[#@LINE+14]]:8: note: 256 bytes, 'memref<64xf32>'

// CHECK-LABEL: func.func @reuse
//  CHECK-SAME:   %[[IN:.*]]: memref<64xf32>, %[[ARENA:.*]]: memref<512xi8>
//  CHECK-SAME:   halo.arena_bytes = 512 : i64
//   CHECK-DAG:   %[[FIRST:.*]] = memref.view %[[ARENA]][%c256][] : memref<512xi8> to memref<64xf32>
//   CHECK-DAG:   %[[SECOND:.*]] = memref.view %[[ARENA]][%c0][] : memref<512xi8> to memref<64xf32>
//   CHECK-NOT:   memref.alloc
//       CHECK:   memref.copy %[[IN]], %[[FIRST]]
//       CHECK:   memref.copy %[[FIRST]], %[[SECOND]]
//       CHECK:   memref.copy %[[SECOND]], %[[FIRST]]
//   CHECK-NOT:   memref.dealloc
func.func @reuse(%in: memref<64xf32>) attributes {halo.entry} {
  %0 = memref.alloc() : memref<64xf32>
  %1 = memref.alloc() : memref<64xf32>
  %2 = memref.alloc() : memref<64xf32>
  memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
  memref.copy %0, %1 : memref<64xf32> to memref<64xf32>
  memref.dealloc %0 : memref<64xf32>
  memref.copy %1, %2 : memref<64xf32> to memref<64xf32>
  memref.copy %2, %in : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A use of a view is a use of the buffer.

// CHECK-LABEL: func.func @view_keeps_alive
//  CHECK-SAME:   memref<768xi8>
func.func @view_keeps_alive(%in: memref<64xf32>) attributes {halo.entry} {
  %0 = memref.alloc() : memref<8x8xf32>
  %1 = memref.collapse_shape %0 [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  %2 = memref.alloc() : memref<64xf32>
  %3 = memref.alloc() : memref<64xf32>
  memref.copy %in, %1 : memref<64xf32> to memref<64xf32>
  memref.copy %1, %2 : memref<64xf32> to memref<64xf32>
  memref.copy %2, %3 : memref<64xf32> to memref<64xf32>
  memref.copy %1, %in : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A view is no use: the buffer that it is of is written behind the last use of the first one.

// CHECK-LABEL: func.func @view_is_no_use
//  CHECK-SAME:   memref<256xi8>
func.func @view_is_no_use(%in: memref<64xf32>) attributes {halo.entry} {
  %0 = memref.alloc() : memref<64xf32>
  %1 = memref.alloc() : memref<8x8xf32>
  %2 = memref.collapse_shape %1 [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
  memref.copy %0, %in : memref<64xf32> to memref<64xf32>
  memref.copy %in, %2 : memref<64xf32> to memref<64xf32>
  memref.copy %2, %in : memref<64xf32> to memref<64xf32>
  return
}

// -----

// A buffer from outside a loop lives as long as the loop, so the two inside do
// not share its place, though they share one of their own.

// CHECK-LABEL: func.func @loop
//  CHECK-SAME:   %{{.*}}: memref<64xf32>, %[[ARENA:.*]]: memref<768xi8>
//   CHECK-DAG:   memref.view %[[ARENA]][%c0][]
//   CHECK-DAG:   memref.view %[[ARENA]][%c256][]
//   CHECK-DAG:   memref.view %[[ARENA]][%c512][]
//       CHECK:   scf.for
func.func @loop(%in: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %0 = memref.alloc() : memref<64xf32>
  memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
  scf.for %i = %c0 to %c9 step %c1 {
    %1 = memref.alloc() : memref<64xf32>
    %2 = memref.alloc() : memref<64xf32>
    %3 = memref.alloc() : memref<64xf32>
    memref.copy %0, %1 : memref<64xf32> to memref<64xf32>
    memref.copy %1, %2 : memref<64xf32> to memref<64xf32>
    memref.copy %2, %3 : memref<64xf32> to memref<64xf32>
    memref.copy %3, %in : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// The branches of an if are not taken both.

// CHECK-LABEL: func.func @branches
//  CHECK-SAME:   memref<256xi8>
func.func @branches(%in: memref<64xf32>, %condition: i1) attributes {halo.entry} {
  scf.if %condition {
    %0 = memref.alloc() : memref<64xf32>
    memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
    memref.copy %0, %in : memref<64xf32> to memref<64xf32>
  } else {
    %0 = memref.alloc() : memref<64xf32>
    memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
    memref.copy %0, %in : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// A buffer that a while loop carries is alive through its arguments.

// CHECK-LABEL: func.func @while
//  CHECK-SAME:   memref<512xi8>
//   CHECK-NOT:   memref.alloc
func.func @while(%in: memref<64xf32>, %limit: memref<i1>) attributes {halo.entry} {
  %0 = memref.alloc() : memref<64xf32>
  memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
  %1 = scf.while (%a = %0) : (memref<64xf32>) -> memref<64xf32> {
    %more = memref.load %limit[] : memref<i1>
    scf.condition(%more) %a : memref<64xf32>
  } do {
  ^bb0(%b: memref<64xf32>):
    %2 = memref.alloc() : memref<64xf32>
    memref.copy %b, %2 : memref<64xf32> to memref<64xf32>
    memref.copy %2, %b : memref<64xf32> to memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  memref.copy %1, %in : memref<64xf32> to memref<64xf32>
  return
}

// -----

// Two generations of a carried buffer live at once: it stays.

// CHECK-LABEL: func.func @carried
//  CHECK-SAME:   memref<256xi8>
//       CHECK:   scf.for
//       CHECK:     memref.alloc
func.func @carried(%in: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %0 = memref.alloc() : memref<64xf32>
  memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
  %1 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %0) -> memref<64xf32> {
    %2 = memref.alloc() : memref<64xf32>
    memref.copy %a, %2 : memref<64xf32> to memref<64xf32>
    scf.yield %2 : memref<64xf32>
  }
  memref.copy %1, %in : memref<64xf32> to memref<64xf32>
  return
}

// -----

// An entry function without buffers has an empty arena, any other function
// none.

// CHECK-LABEL: func.func @nothing
//  CHECK-SAME:   (%{{.*}}: memref<4xf32> {llvm.noalias}, %{{.*}}: memref<0xi8>) attributes {halo.arena_bytes = 0 : i64, halo.entry}
func.func @nothing(%in: memref<4xf32> {llvm.noalias}) attributes {halo.entry} {
  return
}

// CHECK-LABEL: func.func private @other(%{{.*}}: memref<4xf32>) {
//       CHECK:   memref.alloc
func.func private @other(%in: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  memref.copy %in, %0 : memref<4xf32> to memref<4xf32>
  memref.copy %0, %in : memref<4xf32> to memref<4xf32>
  memref.dealloc %0 : memref<4xf32>
  return
}

// -----

// Each iteration of a parallel loop has a buffer of its own: on the stack, or if it is
// large in memory that it frees.

// CHECK-LABEL: func.func @parallel
//       CHECK:   scf.parallel
//   CHECK-DAG:     %[[SMALL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xf32>
//   CHECK-DAG:     %[[LARGE:.*]] = memref.alloc() : memref<32768xf32>
//       CHECK:     memref.copy %[[SMALL]], %{{.*}}
//       CHECK:     memref.copy %[[LARGE]], %{{.*}}
//  CHECK-NEXT:     memref.dealloc %[[LARGE]]
func.func @parallel(%in: memref<64xf32>, %long: memref<32768xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    %0 = memref.alloc() : memref<64xf32>
    %1 = memref.alloc() : memref<32768xf32>
    memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
    memref.copy %0, %in : memref<64xf32> to memref<64xf32>
    memref.copy %long, %1 : memref<32768xf32> to memref<32768xf32>
    memref.copy %1, %long : memref<32768xf32> to memref<32768xf32>
  }
  return
}

// -----

// The iterations of a loop in a parallel one are sequential, and have one buffer: the stack
// would grow with each of them, and memory would be allocated for each.

// CHECK-LABEL: func.func @nested
//       CHECK:   scf.parallel
//   CHECK-DAG:     %[[SMALL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xf32>
//   CHECK-DAG:     %[[LARGE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<32768xf32>
//       CHECK:     scf.parallel
//   CHECK-NOT:       memref.alloc
//       CHECK:       memref.copy %[[SMALL]], %{{.*}}
//       CHECK:       memref.copy %[[LARGE]], %{{.*}}
//       CHECK:     }
//       CHECK:     memref.dealloc %[[LARGE]]
func.func @nested(%in: memref<64xf32>, %long: memref<32768xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c9) step (%c1) {
      %0 = memref.alloc() : memref<64xf32>
      %1 = memref.alloc() : memref<32768xf32>
      memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
      memref.copy %0, %in : memref<64xf32> to memref<64xf32>
      memref.copy %long, %1 : memref<32768xf32> to memref<32768xf32>
      memref.copy %1, %long : memref<32768xf32> to memref<32768xf32>
    }
  }
  return
}

// -----

// Buffers of dynamic size come after those of static size. The first and the third share a place,
// and the size of the whole arena is planned.

// CHECK-LABEL: func.func @dynamic
//  CHECK-SAME:   %[[N:[^:]*]]: index, %{{.*}}: memref<?x4xf32>, %[[ARENA:.*]]: memref<?xi8>
//       CHECK:   %[[LINES:.*]] = arith.divui
//       CHECK:   %[[BYTES:.*]] = arith.muli %[[LINES]], %c64
//   CHECK-DAG:   memref.view %[[ARENA]][%c256][%[[N]]] : memref<?xi8> to memref<?x4xf32>
//   CHECK-DAG:   memref.view %[[ARENA]][%[[SECOND:.*]]][%[[N]]] : memref<?xi8> to memref<?x4xf32>
//       CHECK:   halo.plan_sizes(%[[N]], %{{.*}}) {messages = []}
//   CHECK-NOT:   memref.alloc
func.func @dynamic(%x: memref<?x4xf32>, %n: index, %out: memref<?x4xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  halo.plan_sizes(%n) {messages = []}
  %s = memref.alloc() : memref<64xf32>
  memref.store %zero, %s[%c0] : memref<64xf32>
  %0 = memref.alloc(%n) : memref<?x4xf32>
  memref.copy %x, %0 : memref<?x4xf32> to memref<?x4xf32>
  %1 = memref.alloc(%n) : memref<?x4xf32>
  memref.copy %0, %1 : memref<?x4xf32> to memref<?x4xf32>
  %2 = memref.alloc(%n) : memref<?x4xf32>
  memref.copy %1, %2 : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %2, %out : memref<?x4xf32> to memref<?x4xf32>
  return
}

// -----

// A buffer whose size has a bound has the place of the largest one. The second size is limited by the
// first, with which it must be equal; the third is computed from both.

// CHECK-LABEL: func.func @bounded
//  CHECK-SAME:   %[[N:[^:]*]]: index, %[[M:[^:]*]]: index, %{{.*}}: memref<?x4xf32>, %[[ARENA:.*]]: memref<?xi8>) attributes {halo.arena_bytes = 1024 : i64
//       CHECK:   halo.plan_sizes(%[[N]], %c1024) checks(
//   CHECK-DAG:   memref.view %[[ARENA]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?x4xf32>
//   CHECK-DAG:   memref.view %[[ARENA]][%{{.*}}][%[[M]]] : memref<?xi8> to memref<?x4xf32>
//   CHECK-DAG:   memref.view %[[ARENA]][%{{.*}}][%{{.*}}] : memref<?xi8> to memref<?x4xf32>
//   CHECK-NOT:   memref.alloc
func.func @bounded(%x: memref<?x4xf32>, %n: index, %m: index, %out: memref<?x4xf32>) attributes {halo.entry} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %fits = arith.cmpi sle, %n, %c16 : index
  %equal = arith.cmpi eq, %n, %m : index
  halo.plan_sizes(%n) checks(%fits, %equal) {messages = ["too many", "different"]}
  %sum = arith.addi %n, %m : index
  %less = arith.subi %sum, %c2 : index
  %rows = arith.maxsi %less, %c1 : index
  %0 = memref.alloc(%n) : memref<?x4xf32>
  %1 = memref.alloc(%m) : memref<?x4xf32>
  %2 = memref.alloc(%rows) : memref<?x4xf32>
  memref.copy %x, %0 : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %x, %1 : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %x, %2 : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %0, %out : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %1, %out : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %2, %out : memref<?x4xf32> to memref<?x4xf32>
  return
}
