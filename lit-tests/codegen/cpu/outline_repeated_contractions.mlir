// RUN: halo-opt %s --halo-outline-repeated-contractions --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-outline-repeated-contractions --halo-inline-repeated-contractions --split-input-file | FileCheck %s --check-prefix=BACK

// Two products with their fills and epilogues are calls of one function. A third one has
// another epilogue. The buffer of the sums that nothing else uses is in the function; the
// bytes are those of %x, %w and %y.

// CHECK-LABEL: func.func @layers
//  CHECK-SAME:   %[[X:.*]]: memref<32x32xf32>, %[[W:.*]]: memref<32x32xf32>, %[[Y:.*]]: memref<32x32xf32>
//       CHECK:   %[[A:.*]] = memref.alloc
//   CHECK-NOT:   linalg.
//       CHECK:   call @[[LAYER:.*]](%[[X]], %[[W]], %[[A]])
//       CHECK:   %[[B:.*]] = memref.alloc
//   CHECK-NOT:   linalg.
//       CHECK:   call @[[LAYER]](%[[A]], %[[W]], %[[B]])
//       CHECK:   linalg.fill
//       CHECK:   linalg.matmul
//       CHECK:   math.exp
//       CHECK: func.func private @[[LAYER]]
//  CHECK-SAME:   %[[L:.*]]: memref<32x32xf32>, %[[R:.*]]: memref<32x32xf32>, %[[OUT:.*]]: memref<32x32xf32>)
//  CHECK-SAME:   attributes {halo.caller_bytes = 12288 : i64}
//       CHECK:   %[[ZERO:.*]] = arith.constant 0.0
//       CHECK:   %[[SUMS:.*]] = memref.alloc
//       CHECK:   linalg.fill ins(%[[ZERO]] : f32) outs(%[[SUMS]]
//       CHECK:   linalg.matmul ins(%[[L]], %[[R]] : {{.*}}) outs(%[[SUMS]]
//       CHECK:   linalg.generic {{.*}} ins(%[[SUMS]] : {{.*}}) outs(%[[OUT]]
//       CHECK:     math.tanh

// Back in the entry, calls share the constants, and nothing is left of the function.

// BACK-LABEL: func.func @layers
//  BACK-SAME:   %[[X:.*]]: memref<32x32xf32>, %[[W:.*]]: memref<32x32xf32>, %[[Y:.*]]: memref<32x32xf32>
//  BACK-NEXT:   %[[ZERO:.*]] = arith.constant 0.0
//       BACK:   %[[A:.*]] = memref.alloc
//       BACK:   %[[FIRST:.*]] = memref.alloc
//       BACK:   linalg.fill ins(%[[ZERO]] : f32) outs(%[[FIRST]]
//       BACK:   linalg.matmul ins(%[[X]], %[[W]] : {{.*}}) outs(%[[FIRST]]
//       BACK:   math.tanh
//       BACK:   %[[B:.*]] = memref.alloc
//       BACK:   %[[SECOND:.*]] = memref.alloc
//       BACK:   linalg.fill ins(%[[ZERO]] : f32) outs(%[[SECOND]]
//       BACK:   linalg.matmul ins(%[[A]], %[[W]] : {{.*}}) outs(%[[SECOND]]
//       BACK:   math.tanh
//       BACK:   math.exp
//   BACK-NOT: contraction
// BACK-LABEL: func.func @squares
func.func @layers(%x: memref<32x32xf32>, %w: memref<32x32xf32>, %y: memref<32x32xf32>) attributes {halo.entry} {
  %zero = arith.constant 0.0 : f32
  %sums0 = memref.alloc() : memref<32x32xf32>
  %a = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%sums0 : memref<32x32xf32>)
  linalg.matmul ins(%x, %w : memref<32x32xf32>, memref<32x32xf32>) outs(%sums0 : memref<32x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums0 : memref<32x32xf32>) outs(%a : memref<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.tanh %in : f32
    linalg.yield %0 : f32
  }
  %sums1 = memref.alloc() : memref<32x32xf32>
  %b = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%sums1 : memref<32x32xf32>)
  linalg.matmul ins(%a, %w : memref<32x32xf32>, memref<32x32xf32>) outs(%sums1 : memref<32x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums1 : memref<32x32xf32>) outs(%b : memref<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.tanh %in : f32
    linalg.yield %0 : f32
  }
  %sums2 = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%sums2 : memref<32x32xf32>)
  linalg.matmul ins(%b, %w : memref<32x32xf32>, memref<32x32xf32>) outs(%sums2 : memref<32x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums2 : memref<32x32xf32>) outs(%y : memref<32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A square has one buffer for both factors, and is equal to another square only.

// CHECK-LABEL: func.func @squares
//  CHECK-SAME:   %[[X:.*]]: memref<8x8xf32>, %[[Y:.*]]: memref<8x8xf32>, %[[Z:.*]]: memref<8x8xf32>, %[[P:.*]]: memref<8x8xf32>
//       CHECK:   call @squares_contraction_0(%[[X]], %[[Y]])
//       CHECK:   call @squares_contraction_0(%[[Y]], %[[Z]])
//       CHECK:   linalg.matmul ins(%[[X]], %[[Y]]
//       CHECK: func.func private @squares_contraction_0(%[[A:.*]]: memref<8x8xf32>, %[[B:.*]]: memref<8x8xf32>)
//       CHECK:   linalg.matmul ins(%[[A]], %[[A]] : {{.*}}) outs(%[[B]]
func.func @squares(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %z: memref<8x8xf32>, %p: memref<8x8xf32>) attributes {halo.entry} {
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  linalg.matmul ins(%y, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%z : memref<8x8xf32>)
  linalg.matmul ins(%x, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%p : memref<8x8xf32>)
  return
}

// -----

// A donated argument may be any other buffer, and two views of one buffer may overlap.

// CHECK-LABEL: func.func @overlapping
//   CHECK-NOT:   call
func.func @overlapping(%x: memref<8x8xf32> {tf.aliasing_output = 0 : i32}, %w: memref<8x8xf32>, %y: memref<8x8xf32>, %z: memref<2x64xf32>) attributes {halo.entry} {
  linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %rows = memref.expand_shape %z [[0], [1, 2]] output_shape [2, 8, 8] : memref<2x64xf32> into memref<2x8x8xf32>
  %flat = memref.collapse_shape %rows [[0, 1], [2]] : memref<2x8x8xf32> into memref<16x8xf32>
  %again = memref.expand_shape %flat [[0, 1], [2]] output_shape [2, 8, 8] : memref<16x8xf32> into memref<2x8x8xf32>
  linalg.batch_matmul ins(%rows, %rows : memref<2x8x8xf32>, memref<2x8x8xf32>) outs(%again : memref<2x8x8xf32>)
  linalg.batch_matmul ins(%rows, %rows : memref<2x8x8xf32>, memref<2x8x8xf32>) outs(%again : memref<2x8x8xf32>)
  return
}

// -----

// The sum of two products may be the epilogue of either.

// CHECK-LABEL: func.func @sum
//   CHECK-NOT:   call
func.func @sum(%x: memref<256x256xf32>, %w: memref<256x256xf32>, %y: memref<256x256xf32>, %n: index, %large: memref<2048x2048xf32>, %l: memref<204256x256xf32>, %r: memref<8x2048xf32>) attributes {halo.entry} {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<256x256xf32>
  %b = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<256x256xf32>)
  linalg.matmul ins(%x, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%a : memref<256x256xf32>)
  linalg.fill ins(%zero : f32) outs(%b : memref<256x256xf32>)
  linalg.matmul ins(%x, %w : memref<256x256xf32>, memref<256x256xf32>) outs(%b : memref<256x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>) outs(%y : memref<256x256xf32>) {
  ^bb0(%one: f32, %other: f32, %out: f32):
    %0 = arith.addf %one, %other : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Products in a loop may be packed before it, and results of 16 MB and more may be stored
// past the caches.

// CHECK-LABEL: func.func @loop
//   CHECK-NOT:   call
func.func @loop(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %y: memref<8x8xf32>, %n: index, %large: memref<2048x2048xf32>, %l: memref<2048x8xf32>, %r: memref<8x2048xf32>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
    linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  }
  linalg.matmul ins(%l, %r : memref<2048x8xf32>, memref<8x2048xf32>) outs(%large : memref<2048x2048xf32>)
  linalg.matmul ins(%l, %r : memref<2048x8xf32>, memref<8x2048xf32>) outs(%large : memref<2048x2048xf32>)
  return
}

// -----

// A factor that is a transposed copy is read where it was copied from.

// CHECK-LABEL: func.func @copies
//   CHECK-NOT:   call
func.func @copies(%x: memref<8x8xf32>, %w: memref<8x8xf32>, %y: memref<8x8xf32>, %z: memref<8x8xf32>) attributes {halo.entry} {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%a : memref<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.matmul ins(%a, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %b = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (n, m)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%b : memref<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  linalg.matmul ins(%b, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%z : memref<8x8xf32>)
  return
}
