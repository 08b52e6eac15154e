// RUN: halo-opt --pass-pipeline='builtin.module(func.func(halo-outline-scalar-code))' --split-input-file %s | FileCheck %s

// Where a slice begins is computed on the device; the kernel makes the view.

// CHECK-LABEL: func.func @slice
// CHECK: %[[CELL:.*]] = memref.alloc() {{.*}} : memref<index>
// CHECK: gpu.launch {{.*}} module(@kernels) function(@slice_scalar_0)
// CHECK: memref.load %{{.*}}[] : memref<i32>
// CHECK: memref.store %{{.*}}, %[[CELL]][] : memref<index>
// CHECK: gpu.terminator
// CHECK: gpu.launch {{.*}} module(@kernels) function(@slice_elementwise_1)
// CHECK: %[[START:.*]] = memref.load %[[CELL]][] : memref<index>
// CHECK: memref.subview %{{.*}}[%[[START]], 0]
// CHECK: gpu.terminator
func.func @slice(%start: memref<i32>, %in: memref<8x64xf32>, %out: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %0 = memref.load %start[] : memref<i32>
  %1 = arith.index_cast %0 : i32 to index
  %row = memref.subview %in[%1, 0] [1, 64] [1, 1]
    : memref<8x64xf32> to memref<1x64xf32, strided<[64, 1], offset: ?>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %2 = memref.load %row[%c0, %tx] : memref<1x64xf32, strided<[64, 1], offset: ?>>
    memref.store %2, %out[%tx] : memref<64xf32>
    gpu.terminator
  } {halo.strategy = "elementwise"}
  return
}

// -----

// A view whose place scalar code computes is made in that code, of the number
// that it has computed; its cell holds nothing yet.

// CHECK-LABEL: func.func @own_slice
// CHECK: gpu.launch {{.*}} function(@own_slice_scalar_0)
// CHECK: %[[PLACE:.*]] = memref.load %{{.*}}[] : memref<i32>
// CHECK: %[[START:.*]] = arith.index_cast %[[PLACE]]
// CHECK: %[[ELEMENT:.*]] = memref.subview %{{.*}}[%[[START]]]
// CHECK: memref.load %[[ELEMENT]]
// CHECK: gpu.terminator
func.func @own_slice(%start: memref<i32>, %in: memref<8xf32>, %out: memref<1xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %0 = memref.load %start[] : memref<i32>
  %1 = arith.index_cast %0 : i32 to index
  %element = memref.subview %in[%1] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
  %2 = memref.load %element[%c0] : memref<1xf32, strided<[1], offset: ?>>
  memref.store %2, %out[%c0] : memref<1xf32>
  return
}

// -----

// A counted loop around a kernel is the host's, which hands the counter on; what
// follows from it the kernel computes.

// CHECK-LABEL: func.func @counted
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: gpu.launch {{.*}} function(@counted_kernel_0)
// CHECK: arith.muli %[[I]]
func.func @counted(%out: memref<64xindex>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = arith.muli %i, %c2 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %i, %out[%0] : memref<64xindex>
      gpu.terminator
    }
  }
  return
}

// -----

// Bounds that are computed make a loop over a counter in a cell.

// CHECK-LABEL: func.func @computed_bound
// CHECK: %[[COUNTER:.*]] = memref.alloc() {{.*}} : memref<index>
// CHECK: scf.while
// CHECK: %[[MORE:.*]] = memref.load %{{.*}}[] : memref<i1>
// CHECK: scf.condition(%[[MORE]])
// CHECK: } do {
// CHECK: gpu.launch
func.func @computed_bound(%count: memref<index>, %out: memref<64xindex>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.load %count[] : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %i, %out[%i] : memref<64xindex>
      gpu.terminator
    }
  }
  return
}

// -----

// Code without a parallel form runs in one thread, as a whole.

// CHECK-LABEL: func.func @sequential
// CHECK: gpu.launch
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.terminator
// CHECK-NEXT: } {{{.*}}halo.strategy = "scalar"}
// CHECK-NEXT: return
func.func @sequential(%x: memref<64xi32>) attributes {halo.entry} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %zero = memref.load %x[%c0] : memref<64xi32>
  %last = scf.for %i = %c1 to %c64 step %c1 iter_args(%sum = %zero) -> (i32) {
    %0 = memref.load %x[%i] : memref<64xi32>
    %1 = arith.addi %sum, %0 : i32
    memref.store %1, %x[%i] : memref<64xi32>
    scf.yield %1 : i32
  }
  return
}

// -----

// What a cell holds until it is written again, each kernel loads from the cell
// itself; what is written before it is used is kept in another.

// CHECK-LABEL: func.func @cells
// CHECK: %[[A:.*]] = memref.alloc() {alignment = 1 {{.*}} : memref<f32>
// CHECK: %[[B:.*]] = memref.alloc() {alignment = 2 {{.*}} : memref<f32>
// CHECK: scf.for
// CHECK: %[[KEPT:.*]] = memref.alloc() {alignment = 64 {{.*}} : memref<f32>
// CHECK: gpu.launch {{.*}} function(@cells_scalar_0)
// CHECK-NEXT: %[[OLD:.*]] = memref.load %[[B]][]
// CHECK-NEXT: memref.store %[[OLD]], %[[KEPT]][]
// CHECK: gpu.launch {{.*}} function(@cells_elementwise_1)
// CHECK-NEXT: memref.load %[[A]][]
// CHECK: gpu.launch {{.*}} function(@cells_scalar_2)
// CHECK-DAG: %[[LAST:.*]] = memref.load %[[KEPT]][]
// CHECK-DAG: %[[OTHER:.*]] = memref.load %[[A]][]
// CHECK: memref.store %[[OTHER]], %[[B]][]
// CHECK: memref.store %[[LAST]], %[[A]][]
func.func @cells(%out: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() {alignment = 1 : i64} : memref<f32>
  %b = memref.alloc() {alignment = 2 : i64} : memref<f32>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = memref.load %a[] : memref<f32>
    %1 = memref.load %b[] : memref<f32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      memref.store %0, %out[%tx] : memref<64xf32>
      gpu.terminator
    } {halo.strategy = "elementwise"}
    memref.store %0, %b[] : memref<f32>
    memref.store %1, %a[] : memref<f32>
  }
  return
}

// -----

// PTX has no quoted names.
// CHECK-LABEL: func.func @"-a b.c"
// CHECK: gpu.launch {{.*}} function(@_a_b_c_elementwise_0)
func.func @"-a b.c"(%out: memref<64xf32>) attributes {halo.entry} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %cst = arith.constant 1.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    memref.store %cst, %out[%tx] : memref<64xf32>
    gpu.terminator
  } {halo.strategy = "elementwise"}
  return
}

// -----

// A load of a buffer that the same kernel has stored to stays behind the store.

// CHECK-LABEL: func.func @stored_before
// CHECK: gpu.launch
// CHECK: memref.store %{{.*}}, %[[BUFFER:[^ ]*]][] : memref<i32>
// CHECK-NEXT: %[[LOADED:.*]] = memref.load %[[BUFFER]][] : memref<i32>
// CHECK: memref.store %[[LOADED]], %arg0[] : memref<i32>
func.func @stored_before(%out: memref<i32>) attributes {halo.entry} {
  %one = arith.constant 1 : i32
  %buffer = memref.alloc() : memref<i32>
  memref.store %one, %buffer[] : memref<i32>
  %loaded = memref.load %buffer[] : memref<i32>
  memref.store %loaded, %out[] : memref<i32>
  return
}

// -----

// A view inside scalar code is at an offset that the kernel computes and one of an inner loop.
// CHECK-LABEL: func.func private @view_in_inner_loop(
// CHECK:         gpu.launch
// CHECK:           %[[I:.*]] = memref.load %arg1[]
// CHECK:           %[[ROW:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK:           scf.for %[[J:[a-z0-9]+]] =
// CHECK:             memref.subview %{{.*}}[%[[ROW]], %[[J]]]
// CHECK:           gpu.terminator
// CHECK:         return
func.func private @view_in_inner_loop(%x: memref<4x4xf32>, %i: memref<index>, %out: memref<f32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %at = memref.load %i[] : memref<index>
  memref.store %c0, %i[] : memref<index>
  %row = arith.addi %at, %c1 : index
  %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%a = %zero) -> (f32) {
    %view = memref.subview %x[%row, %j] [1, 1] [1, 1] : memref<4x4xf32> to memref<1x1xf32, strided<[4, 1], offset: ?>>
    %element = memref.load %view[%c0, %c0] : memref<1x1xf32, strided<[4, 1], offset: ?>>
    %next = arith.addf %a, %element : f32
    scf.yield %next : f32
  }
  memref.store %sum, %out[] : memref<f32>
  return
}
