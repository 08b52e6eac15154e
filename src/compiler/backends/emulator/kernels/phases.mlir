// What a thread keeps over barriers: private memory, values that loops swap, a
// conditional of the block, and the sums of warps and of the block.
gpu.module @kernels {
  gpu.func @phases(%in: memref<128xi32>, %out: memref<5x128xi32>, %flag: memref<1xi1>)
      workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>)
      private(%p: memref<2xi32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<128xi32>
    memref.store %v, %p[%c0] : memref<2xi32, #gpu.address_space<private>>
    %own = memref.alloca() : memref<3xi32>
    memref.store %v, %own[%c2] : memref<3xi32>
    memref.store %v, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.subi %c63, %t : index
    %w = memref.load %s[%other] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %w, %p[%c1] : memref<2xi32, #gpu.address_space<private>>
    gpu.barrier
    %p0 = memref.load %p[%c0] : memref<2xi32, #gpu.address_space<private>>
    %p1 = memref.load %p[%c1] : memref<2xi32, #gpu.address_space<private>>
    %kept = memref.load %own[%c2] : memref<3xi32>
    %twice = arith.addi %p1, %p1 : i32
    %sum = arith.addi %p0, %twice : i32
    %sum2 = arith.addi %sum, %kept : i32
    memref.store %sum2, %out[%c0, %i] : memref<5x128xi32>
    // An odd number of swaps.
    %swapped:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%a = %v, %b = %w) -> (i32, i32) {
      gpu.barrier
      scf.yield %b, %a : i32, i32
    }
    memref.store %swapped#0, %out[%c1, %i] : memref<5x128xi32>
    // What memory says is the same for all threads.
    %taken = memref.load %flag[%c0] : memref<1xi1>
    %chosen = scf.if %taken -> (i32) {
      memref.store %w, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %back = memref.load %s[%other] : memref<64xi32, #gpu.address_space<workgroup>>
      scf.yield %back : i32
    } else {
      scf.yield %w : i32
    }
    memref.store %chosen, %out[%c2, %i] : memref<5x128xi32>
    %warp_sum = gpu.subgroup_reduce add %v : (i32) -> i32
    memref.store %warp_sum, %out[%c3, %i] : memref<5x128xi32>
    %block_max = gpu.all_reduce maxsi %v {} : (i32) -> i32
    memref.store %block_max, %out[%c4, %i] : memref<5x128xi32>
    gpu.return
  }
}
