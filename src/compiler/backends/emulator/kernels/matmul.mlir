// A matrix product by tiles of 16x16, with barriers in a loop that carries a sum.
gpu.module @kernels {
  gpu.func @matmul(%a: memref<32x64xf32>, %b: memref<64x48xf32>, %c: memref<32x48xf32>)
      workgroup(%ta: memref<16x16xf32, 3>, %tb: memref<16x16xf32, 3>) kernel
      attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %column = gpu.global_id x
    %row = gpu.global_id y
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> (f32) {
      %ka = arith.addi %k, %x : index
      %kb = arith.addi %k, %y : index
      %va = memref.load %a[%row, %ka] : memref<32x64xf32>
      %vb = memref.load %b[%kb, %column] : memref<64x48xf32>
      memref.store %va, %ta[%y, %x] : memref<16x16xf32, 3>
      memref.store %vb, %tb[%y, %x] : memref<16x16xf32, 3>
      gpu.barrier
      %next = scf.for %i = %c0 to %c16 step %c1 iter_args(%inner = %acc) -> (f32) {
        %p = memref.load %ta[%y, %i] : memref<16x16xf32, 3>
        %q = memref.load %tb[%i, %x] : memref<16x16xf32, 3>
        %r = math.fma %p, %q, %inner : f32
        scf.yield %r : f32
      }
      gpu.barrier
      scf.yield %next : f32
    }
    memref.store %sum, %c[%row, %column] : memref<32x48xf32>
    gpu.return
  }
}
