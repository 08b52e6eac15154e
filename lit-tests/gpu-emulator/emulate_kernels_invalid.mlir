// RUN: halo-opt %s --halo-emulate-kernels --split-input-file --verify-diagnostics

gpu.module @kernels {
  gpu.func @condition() kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      // expected-error @below {{'gpu.barrier' op is in a 'scf.if' op with a divergent condition or bounds, so that not all threads of a block reach it}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// A value that is loaded from where each thread has its own.

gpu.module @kernels {
  gpu.func @bound(%a: memref<64xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %count = memref.load %a[%t] : memref<64xindex>
    scf.for %i = %c0 to %count step %c1 {
      // expected-error @below {{'gpu.barrier' op is in a 'scf.for' op}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

// Threads that leave an inner loop at different times meet no more.

gpu.module @kernels {
  gpu.func @left(%a: memref<64xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %count = scf.for %i = %c0 to %t step %c1 iter_args(%n = %c0) -> (index) {
      %next = arith.addi %n, %c1 : index
      scf.yield %next : index
    }
    scf.while (%i = %c0) : (index) -> index {
      %more = arith.cmpi slt, %i, %count : index
      scf.condition(%more) %i : index
    } do {
    ^bb0(%i: index):
      // expected-error @below {{'gpu.barrier' op is in a 'scf.while' op}}
      gpu.barrier
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @inside(%v: i32, %a: memref<64xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{'scf.parallel' op has a barrier inside, which emulation does not support}}
    scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
      gpu.barrier
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown() kernel {
    // expected-error @below {{'gpu.dynamic_shared_memory' op has no emulation}}
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{'gpu.func' op takes a buffer of dynamic shape}}
  gpu.func @dynamic(%a: memref<?xf32>) kernel {
    gpu.return
  }
}
