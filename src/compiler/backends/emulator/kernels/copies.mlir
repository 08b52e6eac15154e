// Asynchronous copies, of which the last reads fewer elements than it writes.
gpu.module @kernels {
  gpu.func @copies(%in: memref<10xf32>, %out: memref<12xf32>)
      workgroup(%s: memref<12xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c10 = arith.constant 10 : index
    %t = gpu.thread_id x
    %from = arith.muli %t, %c4 : index
    %left = arith.subi %c10, %from : index
    %read = arith.minsi %left, %c4 : index
    %token = nvgpu.device_async_copy %in[%from], %s[%from], 4, %read
      : memref<10xf32> to memref<12xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %token
    nvgpu.device_async_wait %group {numGroups = 0 : i32}
    gpu.barrier
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %at = arith.addi %from, %i : index
      %v = memref.load %s[%at] : memref<12xf32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%at] : memref<12xf32>
    }
    gpu.return
  }
}
