// RUN: halo-opt %s --halo-outline-kernels=machine=x86-64-v3:second-cache=2097152 --canonicalize --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-outline-kernels=machine=x86-64-v4 --canonicalize --split-input-file | FileCheck %s --check-prefix=WIDE

// The grain of a loop whose estimated time is not worth two tasks is its trip
// count or more, so that it runs in one thread.

// A loop that moves bytes takes as long as the memory that holds them: 64 MiB at 10
// bytes in a nanosecond are 6.7 ms, 447 tasks of 15 microseconds, of which 256 are
// equally long; 64 KiB in the second cache are less than one.

// CHECK-LABEL: func.func @moved
//       CHECK:   halo.parallel_call @moved_kernel_0 from %c0 to %c8388608 grain 32768
// CHECK-LABEL: func.func @little
//       CHECK:   halo.parallel_call @little_kernel_0 from %c0 to %c8192 grain 75000
func.func @moved(%a: memref<8388608xf32>, %b: memref<8388608xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8388608 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<8388608xf32>
    memref.store %0, %b[%i] : memref<8388608xf32>
    scf.reduce
  }
  return
}

func.func @little(%a: memref<8192xf32>, %b: memref<8192xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8192 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<8192xf32>
    memref.store %0, %b[%i] : memref<8192xf32>
    scf.reduce
  }
  return
}

// -----

// Functions of mathematics take longer than moving their operands, and half as
// long with vectors of twice the width.

// CHECK-LABEL: func.func @math
//       CHECK:   halo.parallel_call @math_kernel_0 from %c0 to %c131072 grain 32768
// WIDE-LABEL: func.func @math
//       WIDE:   halo.parallel_call @math_kernel_0 from %c0 to %c131072 grain 65536
func.func @math(%a: memref<131072xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 131072 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<131072xf32>
    %1 = math.exp %0 : f32
    memref.store %1, %a[%i] : memref<131072xf32>
    scf.reduce
  }
  return
}

// -----

// A sum in the order of the program waits for each addition; one in any order is
// vectorized, and takes as long as reading the rows.

// CHECK-LABEL: func.func @rows
//       CHECK:   halo.parallel_call @rows_kernel_0 from %c0 to %c64 grain 16
//       CHECK:   halo.parallel_call @rows_kernel_1 from %c0 to %c64 grain 64
func.func @rows(%a: memref<64x1024xf32>, %b: memref<64xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %sum = scf.for %j = %c0 to %c1024 step %c1 iter_args(%s = %zero) -> (f32) {
      %0 = memref.load %a[%i, %j] : memref<64x1024xf32>
      %1 = arith.addf %s, %0 : f32
      scf.yield %1 : f32
    }
    memref.store %sum, %b[%i] : memref<64xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %sum = scf.for %j = %c0 to %c1024 step %c1 iter_args(%s = %zero) -> (f32) {
      %0 = memref.load %a[%i, %j] : memref<64x1024xf32>
      %1 = arith.addf %s, %0 fastmath<reassoc> : f32
      scf.yield %1 : f32
    }
    memref.store %sum, %b[%i] : memref<64xf32>
    scf.reduce
  }
  return
}

// -----

// Behind a loop that has used them, threads are awake, and shorter tasks pay. Beside a
// custom call, which runs in one thread, others would fetch data from its cache; behind
// it they may be asleep.

// CHECK-LABEL: func.func @awake
//       CHECK:   halo.parallel_call @awake_kernel_0 from %c0 to %c65536 grain 65536
//       CHECK:   halo.parallel_call @awake_kernel_1 from %c0 to %c65536 grain 32768
//       CHECK:   halo.parallel_call @awake_kernel_0 from %c0 to %c65536 grain 16384
//       CHECK:   halo.parallel_call @awake_kernel_0 from %c0 to %c65536 grain 340180
//       CHECK:   halo.custom_call
//       CHECK:   halo.parallel_call @awake_kernel_0 from %c0 to %c65536 grain 365180
func.func @awake(%a: memref<65536xf32>, %b: memref<65536xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 65536 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<65536xf32>
    memref.store %0, %b[%i] : memref<65536xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<65536xf32>
    %1 = math.exp %0 : f32
    memref.store %1, %b[%i] : memref<65536xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<65536xf32>
    memref.store %0, %b[%i] : memref<65536xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<65536xf32>
    memref.store %0, %b[%i] : memref<65536xf32>
    scf.reduce
  }
  halo.custom_call "f"(%a) outs(%b : memref<65536xf32>) {operand_types = [tensor<65536xf32>], result_types = [tensor<65536xf32>]} : (memref<65536xf32>) -> ()
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<65536xf32>
    memref.store %0, %b[%i] : memref<65536xf32>
    scf.reduce
  }
  return
}

// -----

// Copies of large buffers are shared.

// CHECK-LABEL: func.func @copies
//       CHECK:   %[[FROM:.*]] = memref.collapse_shape %arg0
//       CHECK:   %[[TO:.*]] = memref.collapse_shape %arg1
//       CHECK:   halo.parallel_call @copies_kernel_0 from %c0 to %c1048576 grain {{.*}} captures(%[[FROM]], %[[TO]] :
//       CHECK:   memref.copy %arg2, %arg3
// CHECK-LABEL: func.func private @copies_kernel_0
//       CHECK:   scf.for %[[I:.*]] =
//       CHECK:     %[[V:.*]] = memref.load %{{.*}}[%[[I]]]
//       CHECK:     memref.store %[[V]], %{{.*}}[%[[I]]]
func.func @copies(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<16x16xf32>, %d: memref<16x16xf32>) attributes {halo.entry} {
  memref.copy %a, %b : memref<1024x1024xf32> to memref<1024x1024xf32>
  memref.copy %c, %d : memref<16x16xf32> to memref<16x16xf32>
  return
}
