// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-gpu-contraction-chains,canonicalize,cse))' --split-input-file | FileCheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// A block of two warps computes 32 rows, in blocks of 32 columns. A lane has 2 rows, and 2 columns
// of each 8: 16 scores, 8 sums of 16 columns of the result, and the sums of 2 rows, which it adds
// to those of the other lanes of its rows. The values arrive while the scores are computed, the
// next keys while the values are multiplied; no scores are stored.
//
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[Q:.*]]: memref<4x32x16xbf16>, %[[K:.*]]: memref<4x96x16xbf16>, %[[V:.*]]: memref<4x96x16xbf16>
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: gpu.launch blocks(%[[I:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c4, {{.*}} threads({{.*}}) in (%{{.*}} = %c64,
// CHECK-SAME: workgroup(%[[KEYS:.*]] : memref<512xbf16, #gpu.address_space<workgroup>>, %[[VALUES:.*]] : memref<512xbf16, #gpu.address_space<workgroup>>)
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[KEYS]][%{{.*}}], 8 {bypassL1}
// CHECK: %[[TOKEN:.*]] = nvgpu.device_async_create_group
// CHECK: %[[RESULTS:.*]]:10 = scf.for %[[FIRST:.*]] = %c0 to %c96 step %c32 iter_args
// CHECK: nvgpu.device_async_wait %[[TOKEN]] {numGroups = 0 : i32}
// CHECK: gpu.barrier
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[VALUES]][%{{.*}}], 8 {bypassL1}
// CHECK: nvgpu.device_async_create_group
// CHECK-COUNT-2: nvgpu.ldmatrix %[[KEYS]][%{{.*}}] {numTiles = 4 : i32, transpose = false}
// CHECK-COUNT-4: nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 16]}
// CHECK-COUNT-16: math.exp
// CHECK-COUNT-2: gpu.shuffle xor
// CHECK: nvgpu.device_async_wait %[[TOKEN]] {numGroups = 0 : i32}
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: nvgpu.device_async_copy %{{.*}}, %[[KEYS]][%{{.*}}], 8 {bypassL1}
// CHECK: nvgpu.device_async_create_group
// CHECK-COUNT-2: nvgpu.ldmatrix %[[VALUES]][%{{.*}}] {numTiles = 4 : i32, transpose = true}
// CHECK: scf.yield
// CHECK-COUNT-8: arith.divf %{{.*}} : f32
// CHECK-COUNT-8: memref.store %{{.*}}, %{{.*}} : memref<32x16xf32, strided<[16, 1], offset: ?>>
// CHECK: halo.strategy = "contraction_chain"
func.func @chain(%q: memref<4x32x16xbf16>, %k: memref<4x96x16xbf16>, %v: memref<4x96x16xbf16>, %result: memref<4x32x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %queries = memref.subview %q[%i, 0, 0] [1, 32, 16] [1, 1, 1] : memref<4x32x16xbf16> to memref<32x16xbf16, strided<[16, 1], offset: ?>>
    %total = memref.alloc() : memref<32xf32>
    linalg.fill ins(%zero : f32) outs(%total : memref<32xf32>)
    %sums = memref.alloc() : memref<32x16xf32>
    linalg.fill ins(%zero : f32) outs(%sums : memref<32x16xf32>)
    scf.for %first = %c0 to %c96 step %c32 {
      %keys = memref.subview %k[%i, %first, 0] [1, 32, 16] [1, 1, 1] : memref<4x96x16xbf16> to memref<32x16xbf16, strided<[16, 1], offset: ?>>
      %scores = memref.alloc() : memref<32x32xf32>
      linalg.fill ins(%zero : f32) outs(%scores : memref<32x32xf32>)
      linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%queries, %keys : memref<32x16xbf16, strided<[16, 1], offset: ?>>, memref<32x16xbf16, strided<[16, 1], offset: ?>>) outs(%scores : memref<32x32xf32>) {
      ^bb0(%x: bf16, %y: bf16, %out: f32):
        %0 = arith.extf %x : bf16 to f32
        %1 = arith.extf %y : bf16 to f32
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.addf %out, %2 : f32
        linalg.yield %3 : f32
      }
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scores : memref<32x32xf32>) outs(%scores : memref<32x32xf32>) {
      ^bb0(%x: f32, %out: f32):
        %0 = math.exp %x : f32
        linalg.yield %0 : f32
      }
      linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%scores : memref<32x32xf32>) outs(%total : memref<32xf32>) {
      ^bb0(%x: f32, %out: f32):
        %0 = arith.addf %out, %x : f32
        linalg.yield %0 : f32
      }
      %weights = memref.alloc() : memref<32x32xbf16>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scores : memref<32x32xf32>) outs(%weights : memref<32x32xbf16>) {
      ^bb0(%x: f32, %out: bf16):
        %0 = arith.truncf %x : f32 to bf16
        linalg.yield %0 : bf16
      }
      %values = memref.subview %v[%i, %first, 0] [1, 32, 16] [1, 1, 1] : memref<4x96x16xbf16> to memref<32x16xbf16, strided<[16, 1], offset: ?>>
      linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%weights, %values : memref<32x32xbf16>, memref<32x16xbf16, strided<[16, 1], offset: ?>>) outs(%sums : memref<32x16xf32>) {
      ^bb0(%x: bf16, %y: bf16, %out: f32):
        %0 = arith.extf %x : bf16 to f32
        %1 = arith.extf %y : bf16 to f32
        %2 = arith.mulf %0, %1 : f32
        %3 = arith.addf %out, %2 : f32
        linalg.yield %3 : f32
      }
    }
    %scaled = memref.alloc() : memref<32x16xf32>
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%sums, %total : memref<32x16xf32>, memref<32xf32>) outs(%scaled : memref<32x16xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %0 = arith.divf %x, %y : f32
      linalg.yield %0 : f32
    }
    %rows = memref.subview %result[%i, 0, 0] [1, 32, 16] [1, 1, 1] : memref<4x32x16xf32> to memref<32x16xf32, strided<[16, 1], offset: ?>>
    memref.copy %scaled, %rows : memref<32x16xf32> to memref<32x16xf32, strided<[16, 1], offset: ?>>
    scf.reduce
  }
  return
}

// -----

// A loop with one product is lowered by other passes.
//
// CHECK-LABEL: func.func @one_product
// CHECK: scf.parallel
// CHECK-NOT: gpu.launch
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
func.func @one_product(%x: memref<4x16x16xf32>, %y: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %rows = memref.subview %x[%i, 0, 0] [1, 16, 16] [1, 1, 1] : memref<4x16x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    %result = memref.alloc() : memref<16x16xf32>
    linalg.fill ins(%zero : f32) outs(%result : memref<16x16xf32>)
    linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%rows, %y : memref<16x16xf32, strided<[16, 1], offset: ?>>, memref<16x16xf32>) outs(%result : memref<16x16xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %0 = arith.mulf %a, %b : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    memref.copy %result, %rows : memref<16x16xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    scf.reduce
  }
  return
}
