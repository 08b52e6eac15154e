// RUN: halo-opt %s --halo-emulate-kernels=check-accesses --canonicalize --cse | FileCheck %s

// Before each access stands a call that says where the buffer and the element
// lie, which thread it is, whether the access writes (1) and whether the memory
// is shared (2), and the line and column. Before all of a block stands one that
// says which block it is.

//   CHECK-DAG: func.func private @halo_emulator_block(index)
//   CHECK-DAG: func.func private @halo_emulator_access(index, index, index, index, index, index, index, index)
//   CHECK-DAG: func.func private @halo_emulator_barrier()
// CHECK-LABEL: func.func @copy
//       CHECK:   scf.for %[[NUMBER:.*]] = %
//       CHECK:     call @halo_emulator_block(%[[NUMBER]])
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c64
//       CHECK:       %[[BUFFER:.*]] = memref.extract_aligned_pointer_as_index %arg8
//       CHECK:       %[[OFFSET:.*]] = arith.muli %[[T]], %c4
//       CHECK:       %[[ELEMENT:.*]] = arith.addi %[[BUFFER]], %[[OFFSET]]
//       CHECK:       call @halo_emulator_access(%[[BUFFER]], %c256, %[[ELEMENT]], %c4, %[[T]], %c0, %c[[#]], %c[[#]])
//       CHECK:       memref.load
//       CHECK:       call @halo_emulator_access(%{{.*}}, %c256, %{{.*}}, %c4, %[[T]], %c3, %c[[#]], %c[[#]])
//       CHECK:       memref.store
//       CHECK:     call @halo_emulator_barrier
gpu.module @kernels {
  gpu.func @copy(%a: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.return
  }
}
