// Fragments by ldmatrix: A as it lies in shared memory, B transposed, and the
// product of four tiles of k by two warps, each of which has rows of its own.
gpu.module @kernels {
  gpu.func @load_matrix(%a: memref<32x64xf16>, %b: memref<64x8xf16>, %d: memref<32x8xf32>)
      workgroup(%sa: memref<32x72xf16, #gpu.address_space<workgroup>>,
                %sb: memref<64x8xf16, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %x = gpu.thread_id x
    %warp = gpu.thread_id y
    // Each lane copies row x of A and of both halves of B in parts of 8.
    %t0 = scf.for %j = %c0 to %c64 step %c16 iter_args(%t = %c0) -> (index) {
      %part = arith.muli %warp, %c8 : index
      %column = arith.addi %j, %part : index
      %copy = nvgpu.device_async_copy %a[%x, %column], %sa[%x, %column], 8
        : memref<32x64xf16> to memref<32x72xf16, #gpu.address_space<workgroup>>
      scf.yield %t : index
    }
    %rest = arith.constant 32 : index
    %half = arith.muli %warp, %rest : index
    %row_b = arith.addi %half, %x : index
    %copy_b = nvgpu.device_async_copy %b[%row_b, %c0], %sb[%row_b, %c0], 8
      : memref<64x8xf16> to memref<64x8xf16, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy_b
    nvgpu.device_async_wait %group
    gpu.barrier
    %first_row = arith.muli %warp, %c16 : index
    %row16 = arith.remui %x, %c16 : index
    %row_a = arith.addi %first_row, %row16 : index
    %right = arith.divui %x, %c16 : index
    %shift = arith.muli %right, %c8 : index
    %sums = scf.for %k = %c0 to %c64 step %c16 iter_args(%sum = %zero) -> (vector<2x2xf32>) {
      %column = arith.addi %k, %shift : index
      %fa = nvgpu.ldmatrix %sa[%row_a, %column] {numTiles = 4 : i32, transpose = false}
        : memref<32x72xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      %k_row = arith.addi %k, %row16 : index
      %fb = nvgpu.ldmatrix %sb[%k_row, %c0] {numTiles = 2 : i32, transpose = true}
        : memref<64x8xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
      %next = nvgpu.mma.sync (%fa, %fb, %sum) {mmaShape = [16, 8, 16]}
        : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      scf.yield %next : vector<2x2xf32>
    }
    %g = arith.divui %x, %c4 : index
    %q = arith.remui %x, %c4 : index
    %row0 = arith.addi %first_row, %g : index
    %row1 = arith.addi %row0, %c8 : index
    %col0 = arith.muli %q, %c2 : index
    %col1 = arith.addi %col0, %c1 : index
    %d00 = vector.extract %sums[0, 0] : f32 from vector<2x2xf32>
    %d01 = vector.extract %sums[0, 1] : f32 from vector<2x2xf32>
    %d10 = vector.extract %sums[1, 0] : f32 from vector<2x2xf32>
    %d11 = vector.extract %sums[1, 1] : f32 from vector<2x2xf32>
    memref.store %d00, %d[%row0, %col0] : memref<32x8xf32>
    memref.store %d01, %d[%row0, %col1] : memref<32x8xf32>
    memref.store %d10, %d[%row1, %col0] : memref<32x8xf32>
    memref.store %d11, %d[%row1, %col1] : memref<32x8xf32>
    gpu.return
  }
}
