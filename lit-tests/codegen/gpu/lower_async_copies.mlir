// RUN: halo-opt %s --halo-lower-async-copies | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @copies
  // CHECK-SAME: (%[[A:.*]]: memref<64xf32>, %[[TILE:.*]]: memref<32xf32, #gpu.address_space<workgroup>>, %[[READ:.*]]: index)
  gpu.func @copies(%a: memref<64xf32>, %tile: memref<32xf32, #gpu.address_space<workgroup>>,
      %read: index) kernel {
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    // Whole copies are one load and one store, whose token nobody waits for.
    // CHECK: %[[VALUE:.*]] = vector.load %[[A]][%c8] : memref<64xf32>, vector<4xf32>
    // CHECK-NEXT: vector.store %[[VALUE]], %[[TILE]][%c4] : memref<32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %0 = nvgpu.device_async_copy %a[%c8], %tile[%c4], 4
      : memref<64xf32> to memref<32xf32, #gpu.address_space<workgroup>>
    // Behind the elements that are read are zeros.
    // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
    // CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[I]], %[[READ]] : index
    // CHECK: scf.if %[[INSIDE]] -> (f32)
    // CHECK: memref.load %[[A]]
    // CHECK: memref.store %{{.*}}, %[[TILE]]
    %1 = nvgpu.device_async_copy %a[%c4], %tile[%c8], 4, %read
      : memref<64xf32> to memref<32xf32, #gpu.address_space<workgroup>>
    // CHECK-NOT: nvgpu
    %2 = nvgpu.device_async_create_group %0, %1
    nvgpu.device_async_wait %2 {numGroups = 1 : i32}
    // CHECK: gpu.barrier
    gpu.barrier
    gpu.return
  }
}
