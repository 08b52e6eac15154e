// RUN: halo-opt %s --pass-pipeline='builtin.module(gpu.module(halo-dynamic-workgroup-memory))' | FileCheck %s

// Buffers of more than 48 KB in all are views of the memory that the launch gives the kernel; less
// is declared by the kernel.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @large(
  //  CHECK-SAME:   %[[OUT:.*]]: memref<f32>) kernel
  //   CHECK-DAG:   %[[C0:.*]] = arith.constant 0
  //   CHECK-DAG:   %[[C128:.*]] = arith.constant 128
  //       CHECK:   %[[ALL:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  //       CHECK:   memref.view %[[ALL]][%[[C0]]][] : {{.*}} to memref<100xi8, #gpu.address_space<workgroup>>
  //       CHECK:   %[[B:.*]] = memref.view %[[ALL]][%[[C128]]][] : {{.*}} to memref<16384xf32, #gpu.address_space<workgroup>>
  //       CHECK:   memref.load %[[B]]
  gpu.func @large(%out: memref<f32>)
      workgroup(%a: memref<100xi8, #gpu.address_space<workgroup>>,
                %b: memref<16384xf32, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0 : index
    %byte = memref.load %a[%zero] : memref<100xi8, #gpu.address_space<workgroup>>
    %value = memref.load %b[%zero] : memref<16384xf32, #gpu.address_space<workgroup>>
    memref.store %value, %out[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @small(
  //  CHECK-SAME:   workgroup(%{{.*}} : memref<12288xf32, #gpu.address_space<workgroup>>)
  //   CHECK-NOT:   gpu.dynamic_shared_memory
  gpu.func @small(%out: memref<f32>)
      workgroup(%a: memref<12288xf32, #gpu.address_space<workgroup>>) kernel {
    %zero = arith.constant 0 : index
    %value = memref.load %a[%zero] : memref<12288xf32, #gpu.address_space<workgroup>>
    memref.store %value, %out[] : memref<f32>
    gpu.return
  }
}
