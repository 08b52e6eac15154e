// The sums of rows: a row for each block, shuffles in each warp, and shared
// memory between the warps.
gpu.module @kernels {
  gpu.func @row_sums(%rows: memref<5x256xf32>, %sums: memref<5xf32>)
      workgroup(%partial: memref<4xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %w = arith.constant 32 : i32
    %i1 = arith.constant 1 : i32
    %i2 = arith.constant 2 : i32
    %i4 = arith.constant 4 : i32
    %i8 = arith.constant 8 : i32
    %i16 = arith.constant 16 : i32
    %zero = arith.constant 0.0 : f32
    %row = gpu.block_id x
    %t = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = gpu.subgroup_id : index
    %second = arith.addi %t, %c128 : index
    %x = memref.load %rows[%row, %t] : memref<5x256xf32>
    %y = memref.load %rows[%row, %second] : memref<5x256xf32>
    %v0 = arith.addf %x, %y : f32
    %s0, %k0 = gpu.shuffle xor %v0, %i16, %w : f32
    %v1 = arith.addf %v0, %s0 : f32
    %s1, %k1 = gpu.shuffle xor %v1, %i8, %w : f32
    %v2 = arith.addf %v1, %s1 : f32
    %s2, %k2 = gpu.shuffle xor %v2, %i4, %w : f32
    %v3 = arith.addf %v2, %s2 : f32
    %s3, %k3 = gpu.shuffle xor %v3, %i2, %w : f32
    %v4 = arith.addf %v3, %s3 : f32
    %s4, %k4 = gpu.shuffle xor %v4, %i1, %w : f32
    %v5 = arith.addf %v4, %s4 : f32
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %v5, %partial[%warp] : memref<4xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %total = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %zero) -> (f32) {
      %p = memref.load %partial[%i] : memref<4xf32, #gpu.address_space<workgroup>>
      %next = arith.addf %sum, %p : f32
      scf.yield %next : f32
    }
    %leader = arith.cmpi eq, %t, %c0 : index
    scf.if %leader {
      memref.store %total, %sums[%row] : memref<5xf32>
    }
    gpu.return
  }
}
