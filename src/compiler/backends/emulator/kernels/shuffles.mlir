// Every mode of a shuffle, with 48 threads: a warp and a half.
gpu.module @kernels {
  gpu.func @shuffles(%in: memref<48xi32>, %values: memref<4x48xi32>, %valid: memref<4x48xi1>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %w = arith.constant 32 : i32
    %i5 = arith.constant 5 : i32
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : memref<48xi32>
    %x, %vx = gpu.shuffle xor %v, %i5, %w : i32
    %u, %vu = gpu.shuffle up %v, %i5, %w : i32
    %d, %vd = gpu.shuffle down %v, %i5, %w : i32
    %i, %vi = gpu.shuffle idx %v, %i5, %w : i32
    memref.store %x, %values[%c0, %t] : memref<4x48xi32>
    memref.store %u, %values[%c1, %t] : memref<4x48xi32>
    memref.store %d, %values[%c2, %t] : memref<4x48xi32>
    memref.store %i, %values[%c3, %t] : memref<4x48xi32>
    memref.store %vx, %valid[%c0, %t] : memref<4x48xi1>
    memref.store %vu, %valid[%c1, %t] : memref<4x48xi1>
    memref.store %vd, %valid[%c2, %t] : memref<4x48xi1>
    memref.store %vi, %valid[%c3, %t] : memref<4x48xi1>
    gpu.return
  }
}
