// RUN: halo-opt %s --pass-pipeline='builtin.module(halo-gpu-contractions,canonicalize,cse)' --split-input-file | FileCheck %s

// Products of bf16 on tensor cores: tiles of A and B go to workgroup memory, three
// steps ahead of their use; a group is waited for, and all threads meet, before
// the tiles of a step are read. Fragments are loaded one instruction ahead of
// their use, the first ones of a step in the step before. Rounding the sums is
// part of the kernel, C is nowhere, and threads exchange columns to store eight
// elements at once.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @bf16
//  CHECK-SAME:   %[[A:.*]]: memref<2048x1024xbf16>, %[[B:.*]]: memref<1024x2048xbf16>, %[[OUT:.*]]: memref<2048x2048xbf16>
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   linalg
//       CHECK:   gpu.launch blocks({{.*}}) in (%{{.*}} = %c128, %{{.*}} = %c1, %{{.*}} = %c1) threads({{.*}}) in (%{{.*}} = %c256, %{{.*}} = %c1, %{{.*}} = %c1)
//  CHECK-SAME:     workgroup(%[[AS:.*]] : memref<32768xbf16, #gpu.address_space<workgroup>>, %[[BS:.*]] : memref<16384xbf16, #gpu.address_space<workgroup>>)
//   CHECK-DAG:     %[[FLAT_A:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [2097152], strides: [1]
//   CHECK-DAG:     %[[FLAT_B:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [2097152], strides: [1]
// CHECK-COUNT-4:   nvgpu.device_async_copy %[[FLAT_A]][%{{.*}}], %[[AS]][%{{.*}}], 8 {bypassL1}
// CHECK-COUNT-2:   nvgpu.device_async_copy %[[FLAT_B]][%{{.*}}], %[[BS]][%{{.*}}], 8 {bypassL1}
// CHECK-COUNT-2:   nvgpu.device_async_create_group
//       CHECK:     %[[TOKEN:.*]] = nvgpu.device_async_create_group
//       CHECK:     nvgpu.device_async_wait %[[TOKEN]] {numGroups = 2 : i32}
//       CHECK:     gpu.barrier
// CHECK-COUNT-8:   nvgpu.ldmatrix
//       CHECK:     scf.for %[[STEP:.*]] = %c0 to %c32 step %c1
// CHECK-COUNT-4:     nvgpu.ldmatrix %[[AS]][%{{.*}}] {numTiles = 4 : i32, transpose = false} : {{.*}} -> vector<4x2xbf16>
// CHECK-COUNT-4:     nvgpu.ldmatrix %[[BS]][%{{.*}}] {numTiles = 4 : i32, transpose = true} : {{.*}} -> vector<4x2xbf16>
//       CHECK:       %[[AHEAD:.*]] = arith.addi %[[STEP]], %c3
//       CHECK:       %[[THERE:.*]] = arith.cmpi ult, %[[AHEAD]], %c32
//       CHECK:       scf.if %[[THERE]] {
// CHECK-COUNT-6:       nvgpu.device_async_copy
//       CHECK:       }
//       CHECK:       nvgpu.device_async_create_group
// CHECK-COUNT-32:    nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
//       CHECK:       nvgpu.device_async_wait %[[TOKEN]] {numGroups = 2 : i32}
//       CHECK:       gpu.barrier
// CHECK-COUNT-8:     nvgpu.ldmatrix
// CHECK-COUNT-32:    nvgpu.mma.sync
//       CHECK:       scf.yield
//       CHECK:     arith.truncf %{{.*}} : f32 to bf16
//       CHECK:     gpu.shuffle xor
//       CHECK:     vector.store %{{.*}} {alignment = 16 : i64} : memref<4194304xbf16>, vector<8xbf16>
//       CHECK:   halo.strategy = "mma_m16n8k16_256x128x32"
func.func @bf16(%a: memref<2048x1024xbf16>, %b: memref<1024x2048xbf16>, %out: memref<2048x2048xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2048x2048xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<2048x2048xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2048x1024xbf16>, memref<1024x2048xbf16>) outs(%c : memref<2048x2048xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<2048x2048xf32>) outs(%out : memref<2048x2048xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %0 = arith.truncf %x : f32 to bf16
    linalg.yield %0 : bf16
  }
  return
}

// -----

// Factors of f32 are split into two numbers of TF32, whose products are summed up
// apart from those before; what lies beyond the edges of A and B is read as zero;
// what comes out as NaN is computed again.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @f32
//       CHECK:   gpu.launch
//       CHECK:     %[[READ:.*]] = arith.select %{{.*}}, %c1, %c0 : index
//       CHECK:     nvgpu.device_async_copy %{{.*}}, 1, %[[READ]]
//       CHECK:     scf.for
//       CHECK:       arith.andi %{{.*}}, %cst{{.*}} : vector<4x1xi32>
//       CHECK:       arith.subf %{{.*}} : vector<4x1xf32>
//       CHECK:       %[[LOW:.*]] = nvgpu.mma.sync(%{{.*}}, %{{.*}}, %cst{{.*}}) {mmaShape = [16, 8, 8], tf32Enabled}
//       CHECK:       %[[SMALL:.*]] = nvgpu.mma.sync(%{{.*}}, %{{.*}}, %[[LOW]]) {mmaShape = [16, 8, 8], tf32Enabled}
//       CHECK:       %[[PRODUCTS:.*]] = nvgpu.mma.sync(%{{.*}}, %{{.*}}, %[[SMALL]]) {mmaShape = [16, 8, 8], tf32Enabled}
//       CHECK:       arith.addf %{{.*}}, %[[PRODUCTS]] : vector<2x2xf32>
//       CHECK:     arith.cmpf uno
//       CHECK:     scf.if
//       CHECK:       scf.for
//       CHECK:         math.fma
//       CHECK:     else
//       CHECK:   halo.strategy = "mma_m16n8k8_3xtf32_32x32x32"
func.func @f32(%a: memref<65x77xf32>, %b: memref<77x33xf32>, %c: memref<65x33xf32>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<65x77xf32>, memref<77x33xf32>) outs(%c : memref<65x33xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A program may allow TF32, or ask for all of f32.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @precision
//   CHECK-NOT:   math.fma
//       CHECK:   nvgpu.mma.sync
//       CHECK:   halo.strategy = "mma_m16n8k8_tf32_32x32x32"
//   CHECK-NOT:   nvgpu.mma.sync
//       CHECK:   math.fma %{{.*}} : f32
//       CHECK:   halo.strategy = "registers_64x64x16"
func.func @precision(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) attrs = {halo.precision = #halo.precision<tf32>} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%d : memref<64x64xf32>) attrs = {halo.precision = #halo.precision<highest>} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// One row. Rows of B that are contiguous along k are summed up by warps; columns
// that are contiguous along n by threads, and in workgroup memory.

#k = affine_map<(n, k) -> (k)>
#nk = affine_map<(n, k) -> (n, k)>
#kn = affine_map<(n, k) -> (k, n)>
#n = affine_map<(n, k) -> (n)>

// CHECK-LABEL: func.func @vectors
//       CHECK:   gpu.launch blocks({{.*}}) in (%{{.*}} = %c512,
// CHECK-COUNT-8:   vector.load %{{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-COUNT-5:   gpu.shuffle xor
//   CHECK-NOT:   gpu.barrier
//       CHECK:   halo.strategy = "vector_rows_by_warp"
//       CHECK:   gpu.launch blocks({{.*}}) in (%{{.*}} = %c128,
//  CHECK-SAME:     workgroup(%{{.*}} : memref<256xf32
//       CHECK:     vector.broadcast
//       CHECK:     math.fma %{{.*}} : vector<4xf32>
//       CHECK:     gpu.shuffle xor
//       CHECK:     gpu.barrier
//       CHECK:   halo.strategy = "vector_columns_by_thread"
func.func @vectors(%a: memref<4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096xf32>, %d: memref<4096xf32>) {
  linalg.generic {indexing_maps = [#k, #nk, #n], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#k, #kn, #n], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<4096xf32>, memref<4096x4096xf32>) outs(%d : memref<4096xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Patches are read where they lie in the image, and a bias and a limit are part
// of the kernel.

#patch = affine_map<(y, x, i, j, c) -> (y + i, x + j, c)>
#patches = affine_map<(y, x, i, j, c) -> (y, x, i, j, c)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(y, x, f) -> (y, x, f)>
#row = affine_map<(y, x, f) -> (f)>

// CHECK-LABEL: func.func @convolution
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<16x16x32xf32>, %[[KERNEL:.*]]: memref<288x64xf32>, %[[BIAS:.*]]: memref<64xf32>, %[[OUT:.*]]: memref<14x14x64xf32>
//   CHECK-NOT:   linalg.generic
//   CHECK-NOT:   memref.alloc
//       CHECK:   gpu.launch
//   CHECK-DAG:     memref.reinterpret_cast %[[IMAGE]]
//   CHECK-DAG:     memref.reinterpret_cast %[[KERNEL]]
//       CHECK:     nvgpu.device_async_copy %{{.*}}, 4 {bypassL1}
//       CHECK:     %[[FLAT:.*]] = memref.reinterpret_cast %[[OUT]]
//       CHECK:     memref.load %[[BIAS]]
//       CHECK:     arith.maximumf
//       CHECK:     vector.store %{{.*}}, %[[FLAT]]
//       CHECK:   halo.strategy = "mma_m16n8k8_3xtf32_32x32x32"
//   CHECK-NOT:   linalg.generic
func.func @convolution(%image: memref<16x16x32xf32>, %kernel: memref<288x64xf32>, %bias: memref<64xf32>, %out: memref<14x14x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %all = memref.alloc() : memref<14x14x3x3x32xf32>
  linalg.generic {indexing_maps = [#patch, #patches], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<16x16x32xf32>) outs(%all : memref<14x14x3x3x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rows = memref.collapse_shape %all [[0, 1], [2, 3, 4]] : memref<14x14x3x3x32xf32> into memref<196x288xf32>
  %c = memref.alloc() : memref<196x64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<196x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %kernel : memref<196x288xf32>, memref<288x64xf32>) outs(%c : memref<196x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  %pixels = memref.expand_shape %c [[0, 1], [2]] output_shape [14, 14, 64] : memref<196x64xf32> into memref<14x14x64xf32>
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pixels, %bias : memref<14x14x64xf32>, memref<64xf32>) outs(%out : memref<14x14x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The image has zeros around it: neither they nor the patches are stored. A copy reads
// nothing where the row or the column of the image is outside.

#patch = affine_map<(y, x, i, j, c) -> (y + i, x + j, c)>
#patches = affine_map<(y, x, i, j, c) -> (y, x, i, j, c)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @padded_convolution
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<14x14x32xf32>, %[[KERNEL:.*]]: memref<288x64xf32>, %[[OUT:.*]]: memref<196x64xf32>
//   CHECK-NOT:   memref.alloc
//       CHECK:   gpu.launch
//       CHECK:     memref.reinterpret_cast %[[IMAGE]] to offset: [0], sizes: [6272]
//       CHECK:     %[[ROW:.*]] = arith.cmpi ult, %{{.*}}, %c14
//       CHECK:     %[[COLUMN:.*]] = arith.cmpi ult, %{{.*}}, %c14
//       CHECK:     %[[INSIDE:.*]] = arith.andi %[[ROW]], %[[COLUMN]]
//       CHECK:     %[[READ:.*]] = arith.select %{{.*}}, %c4, %c0
//       CHECK:     nvgpu.device_async_copy %{{.*}}, 4, %[[READ]] {bypassL1}
//       CHECK:   halo.strategy = "mma_m16n8k8_3xtf32_32x32x32"
//   CHECK-NOT:   linalg.
//   CHECK-NOT:   memref.copy
func.func @padded_convolution(%image: memref<14x14x32xf32>, %kernel: memref<288x64xf32>, %out: memref<196x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %border = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<16x16x32xf32>
  linalg.fill ins(%border : f32) outs(%padded : memref<16x16x32xf32>)
  %inside = memref.subview %padded[1, 1, 0] [14, 14, 32] [1, 1, 1] : memref<16x16x32xf32> to memref<14x14x32xf32, strided<[512, 32, 1], offset: 544>>
  memref.copy %image, %inside : memref<14x14x32xf32> to memref<14x14x32xf32, strided<[512, 32, 1], offset: 544>>
  %all = memref.alloc() : memref<14x14x3x3x32xf32>
  linalg.generic {indexing_maps = [#patch, #patches], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<16x16x32xf32>) outs(%all : memref<14x14x3x3x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rows = memref.collapse_shape %all [[0, 1], [2, 3, 4]] : memref<14x14x3x3x32xf32> into memref<196x288xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<196x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %kernel : memref<196x288xf32>, memref<288x64xf32>) outs(%out : memref<196x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// Ones around it, or an image that changes: the padded buffer stays, and the patches are
// read from it.

// CHECK-LABEL: func.func @ones_around
//       CHECK:   linalg.fill
//       CHECK:   memref.copy
//       CHECK:   gpu.launch
// CHECK-LABEL: func.func @changed_image
//       CHECK:   linalg.fill
//       CHECK:   memref.copy
//       CHECK:   gpu.launch
func.func @ones_around(%image: memref<14x14x32xf32>, %kernel: memref<288x64xf32>, %out: memref<196x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %border = arith.constant 1.0 : f32
  %padded = memref.alloc() : memref<16x16x32xf32>
  linalg.fill ins(%border : f32) outs(%padded : memref<16x16x32xf32>)
  %inside = memref.subview %padded[1, 1, 0] [14, 14, 32] [1, 1, 1] : memref<16x16x32xf32> to memref<14x14x32xf32, strided<[512, 32, 1], offset: 544>>
  memref.copy %image, %inside : memref<14x14x32xf32> to memref<14x14x32xf32, strided<[512, 32, 1], offset: 544>>
  %all = memref.alloc() : memref<14x14x3x3x32xf32>
  linalg.generic {indexing_maps = [#patch, #patches], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<16x16x32xf32>) outs(%all : memref<14x14x3x3x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rows = memref.collapse_shape %all [[0, 1], [2, 3, 4]] : memref<14x14x3x3x32xf32> into memref<196x288xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<196x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %kernel : memref<196x288xf32>, memref<288x64xf32>) outs(%out : memref<196x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
func.func @changed_image(%image: memref<14x14x32xf32>, %kernel: memref<288x64xf32>, %out: memref<196x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %border = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<16x16x32xf32>
  linalg.fill ins(%border : f32) outs(%padded : memref<16x16x32xf32>)
  %inside = memref.subview %padded[1, 1, 0] [14, 14, 32] [1, 1, 1] : memref<16x16x32xf32> to memref<14x14x32xf32, strided<[512, 32, 1], offset: 544>>
  memref.copy %image, %inside : memref<14x14x32xf32> to memref<14x14x32xf32, strided<[512, 32, 1], offset: 544>>
  linalg.fill ins(%border : f32) outs(%image : memref<14x14x32xf32>)
  %all = memref.alloc() : memref<14x14x3x3x32xf32>
  linalg.generic {indexing_maps = [#patch, #patches], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<16x16x32xf32>) outs(%all : memref<14x14x3x3x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rows = memref.collapse_shape %all [[0, 1], [2, 3, 4]] : memref<14x14x3x3x32xf32> into memref<196x288xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<196x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %kernel : memref<196x288xf32>, memref<288x64xf32>) outs(%out : memref<196x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What follows is not computed on the sums where it would write to a factor that
// other blocks still read.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @in_place
//       CHECK:   gpu.launch
//       CHECK:   halo.strategy
//       CHECK:   linalg.generic
//       CHECK:     math.tanh
func.func @in_place(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x64xf32>) outs(%a : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.tanh %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What replaces the sums in their buffer is part of the kernel; others read its result.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @over_the_sums
//   CHECK-NOT:   linalg.generic
//       CHECK:   gpu.launch
//       CHECK:     math.tanh
//       CHECK:   linalg.generic
//       CHECK:     arith.negf
func.func @over_the_sums(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.tanh %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x64xf32>) outs(%d : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.negf %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Sums that are read before are in memory.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @sums_that_are_read
//       CHECK:   gpu.launch
//   CHECK-NOT:     math.tanh
//       CHECK:   memref.copy
//       CHECK:   linalg.generic
//       CHECK:     math.tanh
func.func @sums_that_are_read(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  %flat = memref.collapse_shape %c [[0, 1]] : memref<64x64xf32> into memref<4096xf32>
  %flat_d = memref.collapse_shape %d [[0, 1]] : memref<64x64xf32> into memref<4096xf32>
  memref.copy %flat, %flat_d : memref<4096xf32> to memref<4096xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.tanh %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A long sum is divided among blocks along z, whose results are added to C.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @long
//  CHECK-SAME:   %[[C:[a-z0-9]+]]: memref<64x64xf32>)
//       CHECK:   %[[PARTS:.*]] = memref.alloc() {{.*}} : memref<16x64x64xf32>
//       CHECK:   gpu.launch blocks({{.*}}) in (%{{.*}} = %c4, %{{.*}} = %c1, %{{.*}} = %c16)
//       CHECK:   linalg.generic
//  CHECK-SAME:     iterator_types = ["parallel", "parallel", "reduction"]
//  CHECK-SAME:     ins(%[[PARTS]] : memref<16x64x64xf32>) outs(%[[C]] : memref<64x64xf32>)
func.func @long(%a: memref<64x4096xf16>, %b: memref<4096x64xf16>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x4096xf16>, memref<4096x64xf16>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %0 = arith.extf %x : f16 to f32
    %1 = arith.extf %y : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// -----

// Small products, and types without a kernel here, are left.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @left
//   CHECK-NOT:   gpu.launch
func.func @left(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>,
    %d: memref<64x64xcomplex<f32>>, %e: memref<64x64xcomplex<f32>>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %d : memref<64x64xcomplex<f32>>, memref<64x64xcomplex<f32>>) outs(%e : memref<64x64xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %sum: complex<f32>):
    %0 = complex.mul %x, %y : complex<f32>
    %1 = complex.add %sum, %0 : complex<f32>
    linalg.yield %1 : complex<f32>
  }
  return
}
