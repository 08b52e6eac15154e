// y = 2 * x + y, with a guard for the last block; and a number that is passed.
gpu.module @kernels {
  gpu.func @elementwise(%x: memref<4000037xf32>, %y: memref<4000037xf32>, %factor: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %count = arith.constant 4000037 : index
    %i = gpu.global_id x
    %inside = arith.cmpi slt, %i, %count : index
    scf.if %inside {
      %a = memref.load %x[%i] : memref<4000037xf32>
      %b = memref.load %y[%i] : memref<4000037xf32>
      %scaled = arith.mulf %a, %factor : f32
      %sum = arith.addf %scaled, %b : f32
      memref.store %sum, %y[%i] : memref<4000037xf32>
    }
    gpu.return
  }
}
