// RUN: halo-opt %s --halo-outline-kernels --canonicalize --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-outline-kernels --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOCATION

// Two arguments of an entry function are two buffers. The call has the locations of all ops.

// LOCATION: halo.parallel_call @copy_kernel_0{{.*}} loc(fused["a.mlir":1:1, "a.mlir":2:1,

// CHECK-LABEL: func.func @copy
//  CHECK-SAME:   %[[A:.*]]: memref<100xf32>, %[[B:.*]]: memref<100xf32>
//       CHECK:   halo.parallel_call @copy_kernel_0 from %c0 to %c100 grain [[#]] captures(%[[A]], %[[B]] : memref<100xf32>, memref<100xf32>)
// CHECK-LABEL: func.func private @copy_kernel_0
//  CHECK-SAME:   %[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:.*]]: memref<100xf32> {llvm.noalias}, %[[Y:.*]]: memref<100xf32> {llvm.noalias}) attributes {halo.kernel}
//       CHECK:   scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]]
//       CHECK:     %[[V:.*]] = memref.load %[[X]][%[[I]]]
//       CHECK:     memref.store %[[V]], %[[Y]][%[[I]]]
func.func @copy(%a: memref<100xf32>, %b: memref<100xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    %0 = memref.load %a[%i] : memref<100xf32> loc("a.mlir":2:1)
    memref.store %0, %b[%i] : memref<100xf32>
    scf.reduce
  } loc("a.mlir":1:1)
  return
}

// -----

// Ranges of the arena overlap where their bytes do. What is only read may
// overlap, and a donated argument may be anything: the last two loops may not
// count on anything, and are one kernel.

// CHECK-LABEL: func.func @arena
//       CHECK:   halo.parallel_call @arena_kernel_0
//       CHECK:   halo.parallel_call @arena_kernel_1
//       CHECK:   halo.parallel_call @arena_kernel_1
// CHECK-DAG: @arena_kernel_0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<16xf32> {llvm.noalias}, %{{.*}}: memref<16xf32> {llvm.noalias})
// CHECK-DAG: @arena_kernel_1(%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<16xf32>, %{{.*}}: memref<16xf32>)
func.func @arena(%in: memref<16xf32> {tf.aliasing_output = 0 : i32}, %arena: memref<256xi8>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<16xf32>
  %1 = memref.view %arena[%c64][] : memref<256xi8> to memref<16xf32>
  %2 = memref.view %arena[%c32][] : memref<256xi8> to memref<16xf32>
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %v = memref.load %0[%i] : memref<16xf32>
    memref.store %v, %1[%i] : memref<16xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %v = memref.load %0[%i] : memref<16xf32>
    memref.store %v, %2[%i] : memref<16xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %v = memref.load %in[%i] : memref<16xf32>
    memref.store %v, %1[%i] : memref<16xf32>
    scf.reduce
  }
  return
}

// -----

// Constants, globals and strided views are made anew; scalars are taken in.

// CHECK-LABEL: func.func @captures
//       CHECK:   scf.for %[[K:.*]] =
//       CHECK:     halo.parallel_call @captures_kernel_0 from %c0 to %c4 grain {{.*}} captures(%{{.*}}, %{{.*}}, %[[K]] :
// CHECK-LABEL: func.func private @captures_kernel_0
//  CHECK-SAME:   index, %{{.*}}: index, %[[S:.*]]: f32, %[[A:.*]]: memref<8x4xf32> {llvm.noalias}, %[[K:.*]]: index)
//   CHECK-DAG:   memref.get_global @weights
//   CHECK-DAG:   memref.subview %[[A]][%[[K]], 0] [1, 4] [1, 1]
//       CHECK:   scf.for
memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @captures(%a: memref<8x4xf32>, %s: f32) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %w = memref.get_global @weights : memref<4xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %row = memref.subview %a[%k, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      %0 = memref.load %w[%i] : memref<4xf32>
      %1 = arith.mulf %0, %s : f32
      memref.store %1, %row[%i] : memref<4xf32, strided<[1], offset: ?>>
      scf.reduce
    }
  }
  return
}

// -----

// A task is as many iterations as are worth one; a small loop is one piece.

// CHECK-LABEL: func.func @grain
//       CHECK:   halo.parallel_call @grain_kernel_0 from %c0 to %c4096 grain 64 captures
//       CHECK:   halo.parallel_call @grain_kernel_1 from %c0 to %c10 grain [[#]] captures
func.func @grain(%a: memref<4096x1024xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c1024 = arith.constant 1024 : index
  %c4096 = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
    scf.for %j = %c0 to %c1024 step %c1 {
      %v = memref.load %a[%i, %j] : memref<4096x1024xf32>
      memref.store %v, %a[%i, %j] : memref<4096x1024xf32>
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    memref.store %zero, %a[%i, %i] : memref<4096x1024xf32>
    scf.reduce
  }
  return
}

// -----

// Bounds other than from 0 in steps of 1 are brought to that form.

// CHECK-LABEL: func.func @bounds
//       CHECK:   halo.parallel_call @bounds_kernel_0 from %c0 to %c4 grain
// CHECK-LABEL: func.func private @bounds_kernel_0
//       CHECK:   scf.for %[[I:.*]] =
//       CHECK:     %[[SCALED:.*]] = arith.muli %[[I]], %c3
//       CHECK:     %[[J:.*]] = arith.addi %[[SCALED]], %c2
//       CHECK:     memref.store %{{.*}}, %{{.*}}[%[[J]]]
func.func @bounds(%a: memref<100xf32>) attributes {halo.entry} {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c13 = arith.constant 13 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c2) to (%c13) step (%c3) {
    memref.store %zero, %a[%i] : memref<100xf32>
    scf.reduce
  }
  return
}

// -----

// Only what the runtime calls has kernels.

// CHECK-LABEL: func.func @no_entry
//       CHECK:   scf.parallel
func.func @no_entry(%a: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    memref.store %zero, %a[%i] : memref<100xf32>
    scf.reduce
  }
  return
}

// -----

// A loop that is not parallel leaves the entry as well; it is run as a whole.
// Its twin on another buffer is a call of the same kernel, one that stores to
// another place is not.

// CHECK-LABEL: func.func @sequential
//  CHECK-SAME:   %[[A:.*]]: memref<100xf32>, %[[B:.*]]: memref<100xf32>, %[[C:.*]]: memref<100xf32>
//       CHECK:   call @sequential_kernel_0(%c0, %c99, %[[A]]) : (index, index, memref<100xf32>) -> ()
//       CHECK:   call @sequential_kernel_0(%c0, %c99, %[[B]]) : (index, index, memref<100xf32>) -> ()
//       CHECK:   call @sequential_kernel_1(%c0, %c99, %[[C]]) : (index, index, memref<100xf32>) -> ()
// CHECK-LABEL: func.func private @sequential_kernel
func.func @sequential(%a: memref<100xf32>, %b: memref<100xf32>, %c: memref<100xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c0 to %c99 step %c1 {
    %0 = memref.load %a[%i] : memref<100xf32>
    %next = arith.addi %i, %c1 : index
    memref.store %0, %a[%next] : memref<100xf32>
  }
  scf.for %i = %c0 to %c99 step %c1 {
    %0 = memref.load %b[%i] : memref<100xf32>
    %next = arith.addi %i, %c1 : index
    memref.store %0, %b[%next] : memref<100xf32>
  }
  scf.for %i = %c0 to %c99 step %c1 {
    %0 = memref.load %c[%i] : memref<100xf32>
    memref.store %0, %c[%c0] : memref<100xf32>
  }
  return
}

// -----

// A place on the stack is made once for a range of iterations.

// CHECK-LABEL: func.func private @stack_kernel_0
//       CHECK:   %[[OWN:.*]] = memref.alloca() : memref<64xf32>
//       CHECK:   scf.for
//   CHECK-NOT:     memref.alloca
//       CHECK:     memref.copy %{{.*}}, %[[OWN]]
func.func @stack(%in: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    %0 = memref.alloca() : memref<64xf32>
    memref.copy %in, %0 : memref<64xf32> to memref<64xf32>
    memref.copy %0, %in : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

// Memory that an iteration allocates and frees is allocated once for a range of iterations.

// CHECK-LABEL: func.func private @scratch_kernel_0
//       CHECK:   %[[OWN:.*]] = memref.alloc() : memref<65536xf32>
//       CHECK:   scf.for
//   CHECK-NOT:     memref.alloc
//       CHECK:     memref.copy %{{.*}}, %[[OWN]]
//   CHECK-NOT:     memref.dealloc
//       CHECK:   }
//       CHECK:   memref.dealloc %[[OWN]]
//  CHECK-NEXT:   return
func.func @scratch(%in: memref<65536xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    %0 = memref.alloc() : memref<65536xf32>
    memref.copy %in, %0 : memref<65536xf32> to memref<65536xf32>
    memref.copy %0, %in : memref<65536xf32> to memref<65536xf32>
    memref.dealloc %0 : memref<65536xf32>
  }
  return
}

// -----

// The name of a kernel that only packs says so.

// CHECK-LABEL: func.func @product
//       CHECK:   halo.parallel_call @product_pack_0
//       CHECK:   halo.parallel_call @product_kernel_0
//   CHECK-DAG: func.func private @product_kernel_0
//   CHECK-DAG: func.func private @product_pack_0
func.func @product(%a: memref<64xf32>, %b: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %a[%i] : memref<64xf32>
    memref.store %0, %b[%i] : memref<64xf32>
  } {halo.packing}
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %0 = memref.load %b[%i] : memref<64xf32>
    memref.store %0, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// Other threads read what a kernel stores past the caches.

// CHECK-LABEL: func.func private @fill_kernel_0
//       CHECK:   scf.for
//       CHECK:     vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
//       CHECK:   }
//  CHECK-NEXT:   llvm.fence seq_cst
//  CHECK-NEXT:   return
func.func @fill(%line: vector<16xf32>, %b: memref<64x16xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %zero = arith.constant dense<0.0> : vector<16xf32>
    vector.store %zero, %b[%i, %c0] {alignment = 64 : i64, nontemporal = true} : memref<64x16xf32>, vector<16xf32>
    scf.reduce
  }
  return
}

// -----

// A loop of scalars stores its result in memory of the entry.

// CHECK-LABEL: func.func @scalars
//  CHECK-SAME:   %[[A:.*]]: memref<100xf32>, %[[B:.*]]: memref<f32>
//       CHECK:   %[[CELL:.*]] = memref.alloca() : memref<f32>
//       CHECK:   call @scalars_kernel_0(%c0, %c1, %{{.*}}) : (index, index, {{.*}}memref<f32>{{.*}}) -> ()
//       CHECK:   %[[SUM:.*]] = memref.load %[[CELL]][]
//       CHECK:   memref.store %[[SUM]], %[[B]][]
// CHECK-LABEL: func.func private @scalars_kernel_0
//       CHECK:   scf.for
//       CHECK:     %[[LAST:.*]]:2 = scf.while
//       CHECK:     memref.store %[[LAST]]#1
func.func @scalars(%a: memref<100xf32>, %b: memref<f32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %0:2 = scf.while (%i = %c0, %x = %zero) : (index, f32) -> (index, f32) {
    %1 = arith.cmpi ult, %i, %c100 : index
    scf.condition(%1) %i, %x : index, f32
  } do {
  ^bb0(%i: index, %x: f32):
    %1 = memref.load %a[%i] : memref<100xf32>
    %2 = arith.addf %x, %1 : f32
    %3 = arith.addi %i, %c1 : index
    scf.yield %3, %2 : index, f32
  }
  memref.store %0#1, %b[] : memref<f32>
  return
}
