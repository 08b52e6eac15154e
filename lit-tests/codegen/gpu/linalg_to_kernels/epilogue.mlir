// RUN: halo-opt --pass-pipeline='builtin.module(func.func(halo-linalg-to-kernels,canonicalize,cse))' --split-input-file %s | FileCheck %s

#parts = affine_map<(m, n, p) -> (p, m, n)>
#sums = affine_map<(m, n, p) -> (m, n)>
#pixel = affine_map<(y, x, n) -> (y, x, n)>
#channel = affine_map<(y, x, n) -> (n)>

// A bias and an activation of a sum, in another shape: the sum is not stored.

// CHECK-LABEL: func.func @sums
//   CHECK-NOT:   memref.alloc
//       CHECK:   gpu.launch
//       CHECK:     %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %cst)
//       CHECK:     %[[BIAS:.*]] = memref.load %arg1[%[[N:.*]]] : memref<64xf32>
//       CHECK:     %[[ADDED:.*]] = arith.addf %[[SUM]], %[[BIAS]] : f32
//       CHECK:     %[[RELU:.*]] = arith.maximumf %[[ADDED]], %cst
//       CHECK:     memref.store %[[RELU]], %arg2[%{{.*}}, %{{.*}}, %[[N]]] : memref<14x14x64xf32>
//   CHECK-NOT:     memref.store
//       CHECK:   halo.strategy = "sequential_reduction"
//   CHECK-NOT:   gpu.launch
func.func @sums(%parts: memref<2x196x64xf32>, %bias: memref<64xf32>, %out: memref<14x14x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<196x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<196x64xf32>)
  linalg.generic {indexing_maps = [#parts, #sums], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%parts : memref<2x196x64xf32>) outs(%sums : memref<196x64xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  %pixels = memref.expand_shape %sums [[0, 1], [2]] output_shape [14, 14, 64] : memref<196x64xf32> into memref<14x14x64xf32>
  linalg.generic {indexing_maps = [#pixel, #channel, #pixel], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%pixels, %bias : memref<14x14x64xf32>, memref<64xf32>) outs(%out : memref<14x14x64xf32>) {
  ^bb0(%e: f32, %b: f32, %unread: f32):
    %0 = arith.addf %e, %b : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The mean of rows, of which the sum is a result, too: both are stored. A warp has a row.

// CHECK-LABEL: func.func @mean
//       CHECK:   gpu.launch
//       CHECK:     memref.store %[[SUM:.*]], %arg1[%[[ROW:.*]]]
//       CHECK:     %[[MEAN:.*]] = arith.divf %[[SUM]], %cst
//       CHECK:     memref.store %[[MEAN]], %arg2[%[[ROW]]]
//       CHECK:   halo.strategy = "row_reduction"
//   CHECK-NOT:   gpu.launch
func.func @mean(%x: memref<512x1024xf32>, %sums: memref<512xf32>, %means: memref<512xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1024.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<512xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<512x1024xf32>) outs(%sums : memref<512xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%sums : memref<512xf32>) outs(%means : memref<512xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = arith.divf %e, %count : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The pieces of a long row: the second kernel computes the mean.

// CHECK-LABEL: func.func @long
//       CHECK:   halo.strategy = "row_reduction"
//       CHECK:   gpu.launch
//   CHECK-NOT:     memref.store {{.*}} %arg1[
//       CHECK:     %[[MEAN:.*]] = arith.divf
//  CHECK-NEXT:     memref.store %[[MEAN]], %arg1[]
//       CHECK:   halo.strategy = "row_reduction"
//   CHECK-NOT:   gpu.launch
func.func @long(%x: memref<16777216xf32>, %mean: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 16777216.0 : f32
  linalg.fill ins(%zero : f32) outs(%mean : memref<f32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<16777216xf32>) outs(%mean : memref<f32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%mean : memref<f32>) outs(%mean : memref<f32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = arith.divf %e, %count : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// The op reads other elements than its own, or writes what the reduction reads: it is a
// kernel of its own.

// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-2: gpu.launch
// CHECK-LABEL: func.func @overwritten
// CHECK-COUNT-2: gpu.launch
#in = affine_map<(i, j, k) -> (k, i, j)>
#out = affine_map<(i, j, k) -> (i, j)>
#same = affine_map<(i, j) -> (i, j)>
#other = affine_map<(i, j) -> (j, i)>
func.func @transposed(%x: memref<2x128x128xf32>, %out: memref<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<128x128xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<128x128xf32>)
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x128x128xf32>) outs(%sums : memref<128x128xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#other, #same], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<128x128xf32>) outs(%out : memref<128x128xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = math.exp %e : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @overwritten(%x: memref<2x128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<128x128xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<128x128xf32>)
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<2x128x128xf32>) outs(%sums : memref<128x128xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  %first = memref.subview %x[0, 0, 0] [1, 128, 128] [1, 1, 1] : memref<2x128x128xf32> to memref<128x128xf32, strided<[128, 1]>>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<128x128xf32>) outs(%first : memref<128x128xf32, strided<[128, 1]>>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = math.exp %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What is summed changes before the op: the sum cannot be computed later.

// CHECK-LABEL: func.func @changed
// CHECK-COUNT-3: gpu.launch
func.func @changed(%x: memref<2x10000xf32>, %y: memref<10000xf32>, %out: memref<10000xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<10000xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<10000xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (k, i)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<2x10000xf32>) outs(%sums : memref<10000xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%x : memref<2x10000xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%sums : memref<10000xf32>) outs(%out : memref<10000xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = math.exp %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Padding that stays reads the sum, too, without a copy: the sum is stored.

// CHECK-LABEL: func.func @padded
//       CHECK:   %[[SUMS:.*]] = memref.alloc() : memref<10000xf32>
//       CHECK:   gpu.launch
//       CHECK:     memref.store %{{.*}}, %[[SUMS]]
//       CHECK:     memref.store %{{.*}}, %arg1
//       CHECK:   halo.strategy = "sequential_reduction"
//       CHECK:   gpu.launch
//       CHECK:     %[[SUMS]]
//       CHECK:   halo.strategy = "elementwise"
//   CHECK-NOT:   gpu.launch
func.func @padded(%x: memref<2x10000xf32>, %out: memref<10000xf32>, %padded: memref<10008xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<10000xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<10000xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (k, i)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<2x10000xf32>) outs(%sums : memref<10000xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%sums : memref<10000xf32>) outs(%out : memref<10000xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = math.exp %e : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%padded : memref<10008xf32>)
  %inside = memref.subview %padded[4] [10000] [1] : memref<10008xf32> to memref<10000xf32, strided<[1], offset: 4>>
  memref.copy %sums, %inside : memref<10000xf32> to memref<10000xf32, strided<[1], offset: 4>>
  return
}

// -----

// A loop of one iteration is no reduction, so the op behind it is no epilogue.

// CHECK-LABEL: func.func @one_iteration
//  CHECK-SAME:   %{{.*}}: memref<64x1xf32>, %[[OUT:.*]]: memref<64xf32>
//       CHECK:   gpu.launch
//       CHECK:     gpu.barrier
//       CHECK:     arith.mulf
//       CHECK:     store %{{.*}}, %[[OUT]][
func.func @one_iteration(%x: memref<64x1xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %sums = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x1xf32>) outs(%sums : memref<64xf32>) {
  ^bb0(%e: f32, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%sums : memref<64xf32>) outs(%out : memref<64xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = arith.mulf %e, %two : f32
    linalg.yield %0 : f32
  }
  return
}
