// RUN: halo-opt %s --halo-outline-streaming-regions --split-input-file --verify-diagnostics | FileCheck %s

// A region becomes a function of what it reads from around it, without constants, which are there
// again: tiles have numbers that are part of an instruction.

// CHECK-LABEL: func.func private @kernel
//  CHECK-SAME:   (%[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:.*]]: memref<64x16xf32>)
//   CHECK-NOT:   execute_region
//       CHECK:   scf.for %[[I:.*]] =
//       CHECK:     func.call @kernel_streaming_0(%[[X]], %[[I]]) : (memref<64x16xf32>, index) -> ()
//       CHECK:   call @kernel_streaming_1() : () -> ()
//       CHECK:   return
// CHECK-LABEL: func.func private @kernel_streaming_1() attributes {arm_locally_streaming, halo.vectorized, no_unwind}
//       CHECK:   %[[TILES:.*]] = arith.constant 255 : i32
//       CHECK:   llvm.call_intrinsic "llvm.aarch64.sme.zero"(%[[TILES]])
//  CHECK-NEXT:   return
// CHECK-LABEL: func.func private @kernel_streaming_0(
//  CHECK-SAME:   %[[MEMORY:.*]]: memref<64x16xf32>, %[[ROW:.*]]: index)
//       CHECK:   %[[COLUMN:.*]] = arith.constant 0 : index
//       CHECK:   %[[LOADED:.*]] = vector.load %[[MEMORY]][%[[ROW]], %[[COLUMN]]]
//  CHECK-NEXT:   vector.store %[[LOADED]], %[[MEMORY]]
//  CHECK-NEXT:   return
func.func private @kernel(%begin: index, %end: index, %x: memref<64x16xf32>) attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tiles = arith.constant 255 : i32
  scf.for %i = %begin to %end step %c1 {
    scf.execute_region no_inline {
      %0 = vector.load %x[%i, %c0] : memref<64x16xf32>, vector<16xf32>
      vector.store %0, %x[%i, %c0] : memref<64x16xf32>, vector<16xf32>
      scf.yield
    } {arm_locally_streaming}
  }
  scf.execute_region no_inline {
    llvm.call_intrinsic "llvm.aarch64.sme.zero"(%tiles) : (i32) -> ()
    scf.yield
  } {arm_locally_streaming}
  return
}

// -----

// Other regions stay.

// CHECK-LABEL: func.func @other
//       CHECK:   scf.execute_region no_inline
//   CHECK-NOT:   func.func
func.func @other(%x: memref<4xf32>, %y: f32) {
  %c0 = arith.constant 0 : index
  scf.execute_region no_inline {
    memref.store %y, %x[%c0] : memref<4xf32>
    scf.yield
  }
  return
}
