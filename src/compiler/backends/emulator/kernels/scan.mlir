// Inclusive sums of 64 elements, in steps that double until the block is covered.
gpu.module @kernels {
  gpu.func @scan(%in: memref<192xi32>, %out: memref<192xi32>)
      workgroup(%s: memref<64xi32, #gpu.address_space<workgroup>>) kernel {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<192xi32>
    memref.store %v, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %steps, %last = scf.while (%step = %c1, %sum = %v) : (index, i32) -> (index, i32) {
      %more = arith.cmpi slt, %step, %c64 : index
      scf.condition(%more) %step, %sum : index, i32
    } do {
    ^bb0(%step: index, %sum: i32):
      %there = arith.cmpi sge, %t, %step : index
      %before = scf.if %there -> (i32) {
        %other = arith.subi %t, %step : index
        %p = memref.load %s[%other] : memref<64xi32, #gpu.address_space<workgroup>>
        scf.yield %p : i32
      } else {
        scf.yield %zero : i32
      }
      %next = arith.addi %sum, %before : i32
      gpu.barrier
      memref.store %next, %s[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %doubled = arith.muli %step, %c2 : index
      scf.yield %doubled, %next : index, i32
    }
    memref.store %last, %out[%i] : memref<192xi32>
    gpu.return
  }
}
