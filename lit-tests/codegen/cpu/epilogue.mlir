// RUN: halo-opt %s --halo-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s

// The update of a weight: the sums lie in the new weight, and the tasks that have
// them subtract them from the old one.

// CHECK-LABEL: func.func @update
//  CHECK-SAME:   %[[X:.*]]: memref<64x512xf32>, %[[G:.*]]: memref<64x128xf32>, %[[W:.*]]: memref<512x128xf32>, %[[N:.*]]: memref<512x128xf32>
//   CHECK-NOT:   memref.alloc() {{.*}} memref<512x128xf32>
//   CHECK-NOT:   linalg.
//       CHECK:   scf.parallel
//       CHECK:     vector.fma
//       CHECK:     vector.store %{{.*}}, %[[N]]
//       CHECK:     scf.for
//       CHECK:       scf.for
//       CHECK:         scf.for %{{.*}} = %c0 to %c32 step %c1
//   CHECK-DAG:           %[[OLD:.*]] = memref.load %[[W]]
//   CHECK-DAG:           %[[SUM:.*]] = memref.load %[[N]]
//       CHECK:           %[[STEP:.*]] = arith.mulf %[[SUM]], %cst
//       CHECK:           %[[NEW:.*]] = arith.subf %[[OLD]], %[[STEP]]
//       CHECK:           memref.store %[[NEW]], %[[N]]
//       CHECK:     scf.reduce
//   CHECK-NOT:   linalg.
//       CHECK:   return
func.func @update(%x: memref<64x512xf32>, %g: memref<64x128xf32>, %w: memref<512x128xf32>, %new: memref<512x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %rate = arith.constant 0.01 : f32
  %sums = memref.alloc() : memref<512x128xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<512x128xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %g : memref<64x512xf32>, memref<64x128xf32>) outs(%sums : memref<512x128xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.mulf %l, %r : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%w, %sums : memref<512x128xf32>, memref<512x128xf32>) outs(%new : memref<512x128xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.mulf %r, %rate : f32
    %1 = arith.subf %l, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// The rows of a convolution are three dimensions of its activation. What is
// computed in between does not matter, and the sums are needed no more.

// CHECK-LABEL: func.func @activation
//       CHECK:   %[[S:.*]] = memref.alloc() {{.*}}memref<35x40xf32>
//       CHECK:   %[[BIAS:.*]] = memref.alloc() {{.*}}memref<40xf32>
//       CHECK:   linalg.generic {{.*}} outs(%[[BIAS]]
//       CHECK:     vector.fma
//       CHECK:     arith.remui %{{.*}}, %c7
//       CHECK:     scf.for
//       CHECK:       memref.load %[[BIAS]]
//       CHECK:       arith.maximumf
//   CHECK-NOT:   linalg.
//       CHECK:   memref.copy
func.func @activation(%x: memref<35x64xf32>, %w: memref<64x40xf32>, %b: memref<40xf32>, %out: memref<1x5x7x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<35x40xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<35x40xf32>)
  linalg.matmul ins(%x, %w : memref<35x64xf32>, memref<64x40xf32>) outs(%sums : memref<35x40xf32>)
  %image = memref.expand_shape %sums [[0, 1, 2], [3]] output_shape [1, 5, 7, 40] : memref<35x40xf32> into memref<1x5x7x40xf32>
  %bias = memref.alloc() : memref<40xf32>
  linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
      ins(%b : memref<40xf32>) outs(%bias : memref<40xf32>) {
  ^bb0(%l: f32, %o: f32):
    %0 = arith.negf %l : f32
    linalg.yield %0 : f32
  }
  %result = memref.alloc() : memref<1x5x7x40xf32>
  linalg.generic {indexing_maps = [affine_map<(a, b, c, n) -> (a, b, c, n)>, affine_map<(a, b, c, n) -> (n)>, affine_map<(a, b, c, n) -> (a, b, c, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%image, %bias : memref<1x5x7x40xf32>, memref<40xf32>) outs(%result : memref<1x5x7x40xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.addf %l, %r : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  }
  memref.copy %result, %out : memref<1x5x7x40xf32> to memref<1x5x7x40xf32>
  return
}

// -----

// An op that writes to a factor of the product comes after it.

// CHECK-LABEL: func.func @overwritten_factor
//       CHECK:     vector.fma
//       CHECK:   linalg.generic
//       CHECK:     arith.negf
func.func @overwritten_factor(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %sums: memref<64x64xf32>) {
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<64x64xf32>) outs(%w : memref<64x64xf32>) {
  ^bb0(%l: f32, %o: f32):
    %0 = arith.negf %l : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Nor does it move before what is written to its factor in between.

// CHECK-LABEL: func.func @changed_factor
//       CHECK:     vector.fma
//       CHECK:   linalg.fill
//       CHECK:   linalg.generic
//       CHECK:     arith.negf
func.func @changed_factor(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %sums: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.fill ins(%zero : f32) outs(%w : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<64x64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%l: f32, %o: f32):
    %0 = arith.negf %l : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// An element of the transpose needs sums of another task.

// CHECK-LABEL: func.func @transposed
//       CHECK:   vector.fma
//       CHECK:   linalg.generic
//       CHECK:     arith.addf
func.func @transposed(%x: memref<256x256xf32>, %w: memref<256x256xf32>, %sums: memref<256x256xf32>, %out: memref<256x256xf32>) {
  linalg.matmul ins(%x, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%sums : memref<256x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %sums : memref<256x256xf32>, memref<256x256xf32>) outs(%out : memref<256x256xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.addf %l, %r : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Two small matrices are added in a loop of their own, which reads them in order.

// CHECK-LABEL: func.func @small_matrices
//       CHECK:   vector.fma
//       CHECK:   linalg.generic
//       CHECK:     arith.addf
func.func @small_matrices(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %other: memref<64x64xf32>, %sums: memref<64x64xf32>) {
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %other : memref<64x64xf32>, memref<64x64xf32>) outs(%sums : memref<64x64xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %0 = arith.addf %l, %r : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// An op with three results is no product, and does not move behind what reads one of them.

// CHECK-LABEL: func.func @three_results
//       CHECK:   linalg.generic
//       CHECK:     linalg.index
//       CHECK:   memref.copy
//       CHECK:   linalg.generic
//       CHECK:     arith.negf
func.func @three_results(%a: memref<64x64xi64>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %copy: memref<64x64xi64>, %out: memref<64x64xf32>) {
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      outs(%a, %b, %sums : memref<64x64xi64>, memref<64x64xf32>, memref<64x64xf32>) {
  ^bb0(%l: i64, %r: f32, %o: f32):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i64
    %1 = arith.sitofp %0 : i64 to f32
    linalg.yield %0, %1, %1 : i64, f32, f32
  }
  memref.copy %a, %copy : memref<64x64xi64> to memref<64x64xi64>
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<64x64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%l: f32, %o: f32):
    %0 = arith.negf %l : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What is read at computed positions may be sums of other tasks.

// CHECK-LABEL: func.func @gathered
//       CHECK:   vector.fma
//       CHECK:   linalg.generic
//       CHECK:     memref.load
func.func @gathered(%x: memref<256x256xf32>, %w: memref<256x256xf32>, %sums: memref<256x256xf32>, %out: memref<256x256xf32>) {
  linalg.matmul ins(%x, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%sums : memref<256x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<256x256xf32>) outs(%out : memref<256x256xf32>) {
  ^bb0(%l: f32, %o: f32):
    %m = linalg.index 0 : index
    %n = linalg.index 1 : index
    %0 = memref.load %sums[%n, %m] : memref<256x256xf32>
    %1 = arith.addf %l, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
