// RUN: halo-opt %s --halo-gpu-contractions='architecture=sm_90a' | FileCheck %s
// RUN: halo-opt %s --halo-gpu-contractions='architecture=sm_90' | FileCheck %s --check-prefix=SYNC

// Rows of lhs run along k, rows of rhs along n, in boxes of 64 columns.
// CHECK-LABEL: func.func @rows
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<128x64xbf16, 3>, swizzle = swizzle_128b
// CHECK: nvgpu.tma.create.descriptor {{.*}} -> <tensor = memref<64x64xbf16, 3>, swizzle = swizzle_128b
// CHECK: nvvm.mbarrier.init
// CHECK: gpu.barrier
// CHECK: nvvm.setmaxregister increase 232
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}} <m = 64, n = 256, k = 16>, {{.*}}, A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
// CHECK: nvvm.wgmma.wait.group.sync.aligned 1
// CHECK: nvvm.mbarrier.arrive
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: nvvm.setmaxregister decrease 40
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-5: nvvm.cp.async.bulk.tensor.shared.cluster.global
// CHECK: halo.strategy = "wgmma_m64n256k16_128x256x64"
// SYNC-LABEL: func.func @rows
// SYNC: halo.strategy = "mma_m16n8k16_
func.func @rows(%lhs: memref<4096x4096xbf16>, %rhs: memref<4096x4096xbf16>, %result: memref<4096x4096xf32>) {
  linalg.matmul ins(%lhs, %rhs : memref<4096x4096xbf16>, memref<4096x4096xbf16>) outs(%result : memref<4096x4096xf32>)
  return
}

// Rows of 4090 elements are no multiple of 16 bytes.
// CHECK-LABEL: func.func @unaligned
// CHECK: halo.strategy = "mma_m16n8k16_
// SYNC-LABEL: func.func @unaligned
func.func @unaligned(%lhs: memref<4096x4090xbf16>, %rhs: memref<4090x4096xbf16>, %result: memref<4096x4096xf32>) {
  linalg.matmul ins(%lhs, %rhs : memref<4096x4090xbf16>, memref<4090x4096xbf16>) outs(%result : memref<4096x4096xf32>)
  return
}
