// RUN: halo-opt %s --halo-instrument-kernels --mlir-print-local-scope | FileCheck %s
// RUN: halo-opt %s --halo-instrument-kernels --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOCATION

// The buffers of a kernel count once each, with its constants, whatever it does with them. The
// places are those of the call's location, in the order of the program.

// CHECK-LABEL: func.func @main
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

// A size that is not known is not told.

//  CHECK-NEXT:   halo.custom_call "halo.kernel_start"() {dictionary = {kernel = "three", sources = []}
//  CHECK-NEXT:   call @three
//  CHECK-NEXT:   halo.custom_call "halo.kernel_end"
//  CHECK-NEXT:   return

//    LOCATION: halo.kernel_start{{.*}} loc(fused["a.mlir":5:1,
//    LOCATION: halo.kernel_end{{.*}} loc(fused["a.mlir":5:1,
memref.global "private" constant @factors : memref<8xf32> = dense<2.0>
func.func @main(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<?xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  halo.parallel_call @one from %c0 to %c64 grain 16 captures(%a, %b, %a : memref<64xf32>, memref<64xf32>, memref<64xf32>) loc(fused["a.mlir":5:1, "a.mlir":10:1, "a.mlir":2:8, "dot"("a.mlir":3:8), callsite("a.mlir":3:8 at "a.mlir":20:1)])
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  halo.parallel_call @two from %c0 to %c64 grain 16 captures(%a : memref<64xf32>) loc("a.mlir":6:1)
  halo.parallel_call @two from %c0 to %c64 grain 16 captures(%b : memref<64xf32>) loc("a.mlir":7:1)
  func.call @three(%c0, %c64, %c) : (index, index, memref<?xf32>) -> () loc(unknown)
  return
}
func.func private @one(%begin: index, %end: index, %a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) attributes {halo.kernel} {
  %factors = memref.get_global @factors : memref<8xf32>
  %0 = memref.load %factors[%begin] : memref<8xf32>
  memref.store %0, %b[%begin] : memref<64xf32>
  return
}
func.func private @two(%begin: index, %end: index, %a: memref<64xf32>) attributes {halo.kernel} {
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
