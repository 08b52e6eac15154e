// RUN: halo-opt %s --halo-emulate-kernels --canonicalize --cse --split-input-file | FileCheck %s

// Without barriers all threads run in one loop. A guard is no matter of the block.

// CHECK-LABEL: func.func @guarded
//  CHECK-SAME:   %[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[GX:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[A:.*]]: memref<1000xf32>) attributes {halo.kernel}
//       CHECK:   scf.for %[[BLOCK:.*]] = %[[BEGIN]] to %[[END]]
//       CHECK:     %[[X:.*]] = arith.remui %[[BLOCK]], %[[GX]]
//       CHECK:     %[[FIRST:.*]] = arith.muli %[[X]], %c256
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c256
//       CHECK:       %[[I:.*]] = arith.addi %[[FIRST]], %[[T]]
//       CHECK:       arith.cmpi slt, %[[I]], %c1000
//       CHECK:       scf.if
//       CHECK:         memref.load %[[A]][%[[I]]]
//   CHECK-NOT:     scf.for
//       CHECK:   return
gpu.module @kernels {
  gpu.func @guarded(%a: memref<1000xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c1000 = arith.constant 1000 : index
    %i = gpu.global_id x
    %inside = arith.cmpi slt, %i, %c1000 : index
    scf.if %inside {
      %v = memref.load %a[%i] : memref<1000xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %a[%i] : memref<1000xf32>
    }
    gpu.return
  }
}

// -----

// A barrier cuts. What a thread has loaded is kept in an array; the number of
// the other thread is computed again.

// CHECK-LABEL: func.func @reverse
//       CHECK:   %[[SHARED_BYTES:.*]] = memref.alloc() {{.*}} : memref<256xi8>
//       CHECK:   %[[SHARED:.*]] = memref.view %[[SHARED_BYTES]]{{.*}} to memref<64xf32>
//       CHECK:   %[[KEPT:.*]] = memref.view {{.*}} to memref<64xf32>
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       memref.store %c-1_i8, %[[SHARED_BYTES]]
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c64
//       CHECK:       %[[V:.*]] = memref.load %arg8[%[[T]]]
//   CHECK-DAG:       memref.store %[[V]], %[[KEPT]][%[[T]]]
//   CHECK-DAG:       memref.store %[[V]], %[[SHARED]][%[[T]]]
//       CHECK:     }
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c64
//       CHECK:       %[[OTHER:.*]] = arith.subi %c63, %[[T]]
//       CHECK:       %[[W:.*]] = memref.load %[[SHARED]][%[[OTHER]]]
//       CHECK:       %[[V:.*]] = memref.load %[[KEPT]][%[[T]]]
//       CHECK:       arith.addf %[[W]], %[[V]]
//       CHECK:   memref.dealloc
//       CHECK:   memref.dealloc
//       CHECK:   return
gpu.module @kernels {
  gpu.func @reverse(%a: memref<64xf32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c63 = arith.constant 63 : index
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    memref.store %v, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.subi %c63, %t : index
    %w = memref.load %s[%other] : memref<64xf32, #gpu.address_space<workgroup>>
    %sum = arith.addf %w, %v : f32
    memref.store %sum, %a[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

// A loop with a barrier is one of the block. What it carries stands in an array
// for each thread, or stays a value where it is the same for the block.

// CHECK-LABEL: func.func @loop
//       CHECK:   %[[SUMS:.*]] = memref.view {{.*}} to memref<32xf32>
//       CHECK:   scf.for
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c32
//       CHECK:       memref.store %cst, %[[SUMS]][%[[T]]]
//       CHECK:     }
//       CHECK:     scf.for %{{.*}} = %c0 to %c8 step %c1 iter_args(%[[STAGE:.*]] = %c0) -> (index)
//       CHECK:       scf.for %[[T:.*]] = %c0 to %c32
//       CHECK:         memref.load %arg8[%[[STAGE]], %[[T]]]
//       CHECK:         memref.load %[[SUMS]][%[[T]]]
//       CHECK:       }
//       CHECK:       %[[NEXT:.*]] = arith.subi %c1, %[[STAGE]]
//       CHECK:       scf.for %[[T:.*]] = %c0 to %c32
//       CHECK:         memref.store %{{.*}}, %[[SUMS]][%[[T]]]
//       CHECK:       }
//       CHECK:       scf.yield %[[NEXT]]
//       CHECK:     }
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c32
//       CHECK:       memref.load %[[SUMS]][%[[T]]]
gpu.module @kernels {
  gpu.func @loop(%a: memref<2x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %zero, %stage = %c0) -> (f32, index) {
      %v = memref.load %a[%stage, %t] : memref<2x32xf32>
      %next = arith.addf %sum, %v : f32
      gpu.barrier
      %other = arith.subi %c1, %stage : index
      scf.yield %next, %other : f32, index
    }
    memref.store %r#0, %a[%c0, %t] : memref<2x32xf32>
    gpu.return
  }
}

// -----

// A shuffle reads what another lane has, once all lanes have it.

// CHECK-LABEL: func.func @exchange
//       CHECK:   %[[VALUES:.*]] = memref.view {{.*}} to memref<64xi32>
//       CHECK:   scf.for
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c64
//       CHECK:       memref.store %{{.*}}, %[[VALUES]][%[[T]]]
//       CHECK:     }
//       CHECK:     scf.for %[[T:.*]] = %c0 to %c64
//       CHECK:       %[[LANE:.*]] = arith.remui %[[T]], %c32
//       CHECK:       %[[WARP:.*]] = arith.subi %[[T]], %[[LANE]]
//       CHECK:       %[[SOURCE:.*]] = arith.xori %[[LANE]], %c1
//       CHECK:       %[[VALID:.*]] = arith.cmpi ult, %[[SOURCE]], %c32
//       CHECK:       %[[THREAD:.*]] = arith.addi %[[WARP]], %[[SOURCE]]
//       CHECK:       %[[FROM:.*]] = arith.select %{{.*}}, %[[THREAD]], %[[T]]
//       CHECK:       %[[V:.*]] = memref.load %[[VALUES]][%[[FROM]]]
//       CHECK:       memref.store %[[V]], %arg8[%[[T]]]
gpu.module @kernels {
  gpu.func @exchange(%a: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xi32>
    %w, %valid = gpu.shuffle xor %v, %one, %width : i32
    memref.store %w, %a[%t] : memref<64xi32>
    gpu.return
  }
}

// -----

// A matrix product is a call for each warp, of a function for its shape and types.

// CHECK-LABEL: func.func private @__halo_mma_m16n8k8_f32_f32_f32_tf32
//  CHECK-SAME:   memref<32xvector<4x1xf32>>, %{{.*}}: memref<32xvector<2x1xf32>>, %{{.*}}: memref<32xvector<2x2xf32>>, %{{.*}}: memref<32xvector<2x2xf32>>
//       CHECK:   arith.andi %{{.*}}, %c-8192_i32
//       CHECK:   vector.fma
// CHECK-LABEL: func.func @product
//       CHECK:   scf.for %[[WARP:.*]] = %c0 to %c2
//       CHECK:     %[[FIRST:.*]] = arith.muli %[[WARP]], %c512
//       CHECK:     memref.view %{{.*}}[%[[FIRST]]][] : memref<1024xi8> to memref<32xvector<4x1xf32>>
//       CHECK:     call @__halo_mma_m16n8k8_f32_f32_f32_tf32
gpu.module @kernels {
  gpu.func @product(%a: memref<64xvector<4x1xf32>>, %b: memref<64xvector<2x1xf32>>, %d: memref<64xvector<2x2xf32>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant dense<0.0> : vector<2x2xf32>
    %t = gpu.thread_id x
    %fa = memref.load %a[%t] : memref<64xvector<4x1xf32>>
    %fb = memref.load %b[%t] : memref<64xvector<2x1xf32>>
    %fd = nvgpu.mma.sync (%fa, %fb, %zero) {mmaShape = [16, 8, 8], tf32Enabled}
      : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    memref.store %fd, %d[%t] : memref<64xvector<2x2xf32>>
    gpu.return
  }
}

// -----

// Private memory that is nested is taken out of the loops. Without barriers one
// place is enough for all threads.

// CHECK-LABEL: func.func @private
//       CHECK:   %[[P:.*]] = memref.alloca() : memref<4xf32>
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       scf.for
//   CHECK-NOT:         memref.alloca
//       CHECK:         memref.store %{{.*}}, %[[P]]
gpu.module @kernels {
  gpu.func @private(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %c4 step %c1 {
      %p = memref.alloca() : memref<4xf32>
      %v = memref.load %a[%t] : memref<64xf32>
      memref.store %v, %p[%i] : memref<4xf32>
      %w = memref.load %p[%i] : memref<4xf32>
      memref.store %w, %a[%t] : memref<64xf32>
    }
    gpu.return
  }
}

// -----

// Extents that are not known are those of the launch.

// CHECK-LABEL: func.func @extents
//  CHECK-SAME:   %[[X:[^:]*]]: index, %[[Y:[^:]*]]: index, %[[Z:[^:]*]]: index, %{{[^:]*}}: memref
//       CHECK:   scf.for
//       CHECK:     scf.for %[[TZ:.*]] = %c0 to %[[Z]]
//       CHECK:       scf.for %[[TY:.*]] = %c0 to %[[Y]]
//       CHECK:         scf.for %[[TX:.*]] = %c0 to %[[X]]
//       CHECK:           memref.store %[[TX]], %{{.*}}[%[[TZ]], %[[TY]], %[[TX]]]
gpu.module @kernels {
  gpu.func @extents(%a: memref<4x4x4xindex>) kernel {
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    memref.store %x, %a[%z, %y, %x] : memref<4x4x4xindex>
    gpu.return
  }
}
