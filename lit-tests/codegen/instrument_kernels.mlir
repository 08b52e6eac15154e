// RUN: halo-opt %s --halo-instrument-kernels --mlir-print-local-scope | FileCheck %s
// RUN: halo-opt %s --halo-instrument-kernels --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOCATION

// What a kernel touches of its buffers and constants counts once: 64 elements of two buffers, one
// of which it takes twice, and all 8 of the constant. The places are those of the call's location,
// in the order of the program.

// CHECK-LABEL: func.func @main
//  CHECK-NEXT:   arith.constant
//  CHECK-NEXT:   arith.constant
//  CHECK-NEXT:   arith.constant
//  CHECK-NEXT:   arith.constant
//  CHECK-NEXT:   halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 544 : i64, kernel = "one", sources = ["a.mlir:2:8", "a.mlir:3:8", "a.mlir:5:1", "a.mlir:10:1"]}, operand_types = [], result_types = []} : () -> ()
//  CHECK-NEXT:   halo.parallel_call @one
//  CHECK-NEXT:   halo.custom_call "halo.kernel_end"() {operand_types = [], result_types = []} : () -> ()
//  CHECK-NEXT:   halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 512 : i64, kernel = "copy"}
//  CHECK-NEXT:   memref.copy
//  CHECK-NEXT:   halo.custom_call "halo.kernel_end"

// Each call of a shared kernel has places of its own.

//  CHECK-NEXT:   halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 256 : i64, kernel = "two", sources = ["a.mlir:6:1"]}
//  CHECK-NEXT:   halo.parallel_call @two
//  CHECK-NEXT:   halo.custom_call "halo.kernel_end"
//  CHECK-NEXT:   halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 256 : i64, kernel = "two", sources = ["a.mlir:7:1"]}
//  CHECK-NEXT:   halo.parallel_call @two
//  CHECK-NEXT:   halo.custom_call "halo.kernel_end"

// A block of 8 rows of 24, of which the call says the first: 8 x 32 elements, and 8 of a table
// that is read at places that memory has. The places
// are 8 numbers of 8 bytes.

//  CHECK-NEXT:   scf.for
//  CHECK-NEXT:     arith.addi
//  CHECK-NEXT:     halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 1120 : i64, kernel = "block", sources = []}
//  CHECK-NEXT:     halo.parallel_call @block
//  CHECK-NEXT:     halo.custom_call "halo.kernel_end"

// A block of 16 rows and one of 8, in the mean 12 x 32 elements. The place is that of a function that
// was called twice in a row.

//       CHECK:   halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 1536 : i64, callers = ["a.mlir:30:1", "a.mlir:40:1"], kernel = "rows", sources = ["a.mlir:9:1"]}
//  CHECK-NEXT:     halo.parallel_call @rows

// The same, with the rows as two halves, of which the last is shorter: 24 rows of 24 in all.

//       CHECK:   halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 1536 : i64, kernel = "halves", sources = []}
//  CHECK-NEXT:     halo.parallel_call @halves

// A size that is not known is not told.

//       CHECK:   halo.custom_call "halo.kernel_start"() {dictionary = {kernel = "three", sources = []}
//  CHECK-NEXT:   call @three
//  CHECK-NEXT:   halo.custom_call "halo.kernel_end"
//  CHECK-NEXT:   return

//    LOCATION: halo.kernel_start{{.*}} loc(fused["a.mlir":5:1,
//    LOCATION: halo.kernel_end{{.*}} loc(fused["a.mlir":5:1,
memref.global "private" constant @factors : memref<8xf32> = dense<2.0>
func.func @main(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<?xf32>, %m: memref<24x32xf32>, %t: memref<1000xf32>, %n: memref<8xindex>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  halo.parallel_call @one from %c0 to %c64 grain 16 captures(%a, %b, %a : memref<64xf32>, memref<64xf32>, memref<64xf32>) loc(fused["a.mlir":5:1, "a.mlir":10:1, "a.mlir":2:8, "dot"("a.mlir":3:8), callsite("a.mlir":3:8 at "a.mlir":20:1)])
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  halo.parallel_call @two from %c0 to %c64 grain 16 captures(%a : memref<64xf32>) loc("a.mlir":6:1)
  halo.parallel_call @two from %c0 to %c64 grain 16 captures(%b : memref<64xf32>) loc("a.mlir":7:1)
  scf.for %first = %c0 to %c24 step %c8 {
    %end = arith.addi %first, %c8 : index
    halo.parallel_call @block from %c0 to %c8 grain 1 captures(%first, %end, %m, %t, %n : index, index, memref<24x32xf32>, memref<1000xf32>, memref<8xindex>) loc(unknown)
  }
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  scf.for %first = %c0 to %c24 step %c16 {
    %last = arith.addi %first, %c16 : index
    %end = arith.minsi %last, %c24 : index
    %count = arith.subi %end, %first : index
    halo.parallel_call @rows from %c0 to %count grain 1 captures(%first, %m : index, memref<24x32xf32>) loc(callsite("a.mlir":9:1 at callsite("a.mlir":30:1 at "a.mlir":40:1)))
  }
  scf.for %first = %c0 to %c24 step %c16 {
    %last = arith.addi %first, %c16 : index
    %end = arith.minsi %last, %c24 : index
    halo.parallel_call @halves from %c0 to %c2 grain 1 captures(%first, %end, %m : index, index, memref<24x32xf32>) loc(unknown)
  }
  func.call @three(%c0, %c64, %c) : (index, index, memref<?xf32>) -> () loc(unknown)
  return
}
func.func private @one(%begin: index, %end: index, %a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) attributes {halo.kernel} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %factors = memref.get_global @factors : memref<8xf32>
  scf.for %i = %begin to %end step %c1 {
    %place = arith.remui %i, %c8 : index
    %0 = memref.load %factors[%place] : memref<8xf32>
    %1 = memref.load %a[%i] : memref<64xf32>
    %2 = memref.load %c[%i] : memref<64xf32>
    %3 = arith.addf %1, %2 : f32
    %4 = arith.mulf %0, %3 : f32
    memref.store %4, %b[%i] : memref<64xf32>
  }
  return
}
func.func private @rows(%begin: index, %end: index, %first: index, %m: memref<24x32xf32>) attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %begin to %end step %c1 {
    %row = arith.addi %first, %i : index
    scf.for %j = %c0 to %c32 step %c1 {
      memref.store %zero, %m[%row, %j] : memref<24x32xf32>
    }
  }
  return
}
func.func private @halves(%begin: index, %end: index, %first: index, %last: index, %m: memref<24x32xf32>) attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %begin to %end step %c1 {
    %rows = arith.muli %i, %c8 : index
    %from = arith.addi %first, %rows : index
    %behind = arith.addi %from, %c8 : index
    %to = arith.minsi %behind, %last : index
    scf.for %row = %from to %to step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        memref.store %zero, %m[%row, %j] : memref<24x32xf32>
      }
    }
  }
  return
}
func.func private @two(%begin: index, %end: index, %a: memref<64xf32>) attributes {halo.kernel} {
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  scf.for %i = %begin to %end step %c16 {
    vector.store %zero, %a[%i] : memref<64xf32>, vector<16xf32>
  }
  return
}
func.func private @block(%begin: index, %end: index, %first: index, %last: index, %m: memref<24x32xf32>, %t: memref<1000xf32>, %n: memref<8xindex>) attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %begin to %end step %c1 {
    %place = memref.load %n[%i] : memref<8xindex>
    %value = memref.load %t[%place] : memref<1000xf32>
    %row = arith.addi %first, %i : index
    scf.for %j = %c0 to %c32 step %c1 {
      memref.store %value, %m[%row, %j] : memref<24x32xf32>
    }
  }
  return
}
func.func private @three(%begin: index, %end: index, %a: memref<?xf32>) attributes {halo.kernel} {
  return
}

// Functions that are no entries call nobody.

// CHECK-LABEL: func.func @other
//   CHECK-NOT:   custom_call
func.func @other(%a: memref<64xf32>, %b: memref<64xf32>) {
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  return
}
