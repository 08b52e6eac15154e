// Counts in shared memory by atomics, which blocks add up in global memory.
gpu.module @kernels {
  gpu.func @histogram(%keys: memref<4096xi32>, %counts: memref<16xi32>, %sum: memref<1xf32>,
      %largest: memref<1xi32>, %totals: memref<2xf32>)
      workgroup(%local: memref<16xi32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %has_bin = arith.cmpi ult, %t, %c16 : index
    scf.if %has_bin {
      memref.store %zero, %local[%t] : memref<16xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %key = memref.load %keys[%i] : memref<4096xi32>
    %bin = arith.index_cast %key : i32 to index
    %old = memref.atomic_rmw addi %one, %local[%bin] : (i32, memref<16xi32, #gpu.address_space<workgroup>>) -> i32
    %as_float = arith.sitofp %key : i32 to f32
    %old_sum = memref.atomic_rmw addf %as_float, %sum[%c0] : (f32, memref<1xf32>) -> f32
    %old_largest = memref.generic_atomic_rmw %largest[%c0] : memref<1xi32> {
    ^bb0(%current: i32):
      %next = arith.maxsi %current, %key : i32
      memref.atomic_yield %next : i32
    }
    %c1 = arith.constant 1 : index
    %one_more = arith.constant 1.0 : f32
    %old_total = memref.generic_atomic_rmw %totals[%c1] : memref<2xf32> {
    ^bb0(%current: f32):
      %next = arith.addf %current, %one_more : f32
      memref.atomic_yield %next : f32
    }
    gpu.barrier
    scf.if %has_bin {
      %count = memref.load %local[%t] : memref<16xi32, #gpu.address_space<workgroup>>
      %before = memref.atomic_rmw addi %count, %counts[%t] : (i32, memref<16xi32>) -> i32
    }
    gpu.return
  }
}
