// A transpose by tiles of 32x32, which 32x8 threads carry through padded shared
// memory.
gpu.module @kernels {
  gpu.func @transpose(%in: memref<64x96xi32>, %out: memref<96x64xi32>)
      workgroup(%tile: memref<32x33xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %column = arith.muli %bx, %c32 : index
    %row = arith.muli %by, %c32 : index
    scf.for %i = %c0 to %c32 step %c8 {
      %ty = arith.addi %y, %i : index
      %r = arith.addi %row, %ty : index
      %c = arith.addi %column, %x : index
      %v = memref.load %in[%r, %c] : memref<64x96xi32>
      memref.store %v, %tile[%ty, %x] : memref<32x33xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %i = %c0 to %c32 step %c8 {
      %ty = arith.addi %y, %i : index
      %r = arith.addi %column, %ty : index
      %c = arith.addi %row, %x : index
      %v = memref.load %tile[%x, %ty] : memref<32x33xi32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%r, %c] : memref<96x64xi32>
    }
    gpu.return
  }
}
