// RUN: halo-opt %s --pass-pipeline='builtin.module(halo-gpu-contractions{dot=library},canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: halo-opt %s --pass-pipeline='builtin.module(halo-gpu-contractions{dot=auto},canonicalize,cse)' --split-input-file | FileCheck %s --check-prefix=AUTO
// RUN: not halo-opt %s --pass-pipeline='builtin.module(halo-gpu-contractions{dot=best})' --split-input-file 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: error: option 'dot' of pass 'halo-gpu-contractions' is 'auto' or 'library' or 'codegen', not 'best'

// A product that starts from zeros is one op; the zeros are nowhere. This one is
// too small for 'auto', and for a kernel of its own.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func.func @rows
//  CHECK-SAME:   (%[[A:.*]]: memref<6x4xf32>, %[[B:.*]]: memref<4x5xf32>, %[[C:.*]]: memref<6x5xf32>)
//  CHECK-NEXT:   halo.gemm %[[A]], %[[B]] into %[[C]] {
//  CHECK-SAME:   batch = 1 : i64, k = 4 : i64, lhs_matrix = #halo.matrix<start = 0, leading_dimension = 4, batch_stride = 0, transposed = false>, m = 6 : i64, n = 5 : i64
//  CHECK-SAME:   output_matrix = #halo.matrix<start = 0, leading_dimension = 5, batch_stride = 0, transposed = false>, precision = #halo.gemm_precision<full>
//  CHECK-SAME:   rhs_matrix = #halo.matrix<start = 0, leading_dimension = 5, batch_stride = 0, transposed = false>}
//  CHECK-NEXT:   return

// AUTO-LABEL: func.func @rows
//       AUTO:   linalg.fill
//       AUTO:   linalg.generic
func.func @rows(%a: memref<6x4xf32>, %b: memref<4x5xf32>, %c: memref<6x5xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<6x5xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<6x4xf32>, memref<4x5xf32>) outs(%c : memref<6x5xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Large enough for 'auto'. Rounding the sums is part of it.

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func.func @rounded
//  CHECK-SAME:   (%[[A:.*]]: memref<2048x1024xbf16>, %[[B:.*]]: memref<2048x1024xbf16>, %[[OUT:.*]]: memref<2048x2048xbf16>)
//  CHECK-NEXT:   halo.gemm %[[A]], %[[B]] into %[[OUT]] {
//  CHECK-SAME:   output_matrix = #halo.matrix<start = 0, leading_dimension = 2048, batch_stride = 0, transposed = false>, precision = #halo.gemm_precision<full>
//  CHECK-SAME:   rhs_matrix = #halo.matrix<start = 0, leading_dimension = 1024, batch_stride = 0, transposed = true>}
//  CHECK-NEXT:   return

// AUTO-LABEL: func.func @rounded
//  AUTO-NEXT:   halo.gemm
func.func @rounded(%a: memref<2048x1024xbf16>, %b: memref<2048x1024xbf16>, %out: memref<2048x2048xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2048x2048xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<2048x2048xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<2048x1024xbf16>, memref<2048x1024xbf16>) outs(%c : memref<2048x2048xf32>) {
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

// A batch of parts of matrices: a factor begins at an element of its buffer, its
// rows are further apart than they are long, and TF32 is allowed.

#mk = affine_map<(b, m, n, k) -> (b, m + 2, k)>
#kn = affine_map<(b, m, n, k) -> (b, k, n)>
#mn = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: func.func @batch
//  CHECK-SAME:   (%[[A:.*]]: memref<3x10x32xf32>, %[[B:[a-z0-9]+]]: {{.*}}, %[[C:[a-z0-9]+]]:
//       CHECK:   %[[PART:.*]] = memref.subview %[[A]]
//       CHECK:   halo.gemm %[[PART]], %[[B]] into %[[C]] {
//  CHECK-SAME:   batch = 3 : i64, k = 16 : i64, lhs_matrix = #halo.matrix<start = 64, leading_dimension = 32, batch_stride = 320, transposed = false>, m = 8 : i64, n = 5 : i64
//  CHECK-SAME:   output_matrix = #halo.matrix<start = 0, leading_dimension = 5, batch_stride = 40, transposed = false>, precision = #halo.gemm_precision<tf32>
//  CHECK-SAME:   rhs_matrix = #halo.matrix<start = 0, leading_dimension = 5, batch_stride = 80, transposed = false>}
func.func @batch(%a: memref<3x10x32xf32>, %b: memref<3x16x5xf32>, %c: memref<3x8x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %part = memref.subview %a[0, 0, 16] [3, 10, 16] [1, 1, 1]
      : memref<3x10x32xf32> to memref<3x10x16xf32, strided<[320, 32, 1], offset: 16>>
  linalg.fill ins(%zero : f32) outs(%c : memref<3x8x5xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%part, %b : memref<3x10x16xf32, strided<[320, 32, 1], offset: 16>>, memref<3x16x5xf32>)
      outs(%c : memref<3x8x5xf32>) attrs = {halo.precision = #halo.precision<tf32>} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// What a library does not say is left to kernels: sums that start from what C
// holds, rows and columns with gaps, integers, and what follows other than a
// rounding.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#gaps = affine_map<(m, n, k) -> (m, k * 2)>

//   CHECK-NOT: halo.gemm
// CHECK-LABEL: func.func @added
//       CHECK:   gpu.launch
func.func @added(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

//   CHECK-NOT: halo.gemm
// CHECK-LABEL: func.func @gaps
//       CHECK:   gpu.launch
func.func @gaps(%a: memref<64x127xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#gaps, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x127xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

//   CHECK-NOT: halo.gemm
// CHECK-LABEL: func.func @integers
//       CHECK:   gpu.launch
func.func @integers(%a: memref<64x64xi32>, %b: memref<64x64xi32>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>) {
  ^bb0(%x: i32, %y: i32, %sum: i32):
    %0 = arith.muli %x, %y : i32
    %1 = arith.addi %sum, %0 : i32
    linalg.yield %1 : i32
  }
  return
}

//   CHECK-NOT: halo.gemm
// CHECK-LABEL: func.func @activated
//       CHECK:   gpu.launch
//   CHECK-NOT: call
func.func @activated(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %out: memref<64x64xf32>) {
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
      ins(%c : memref<64x64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %zero : f32
    linalg.yield %0 : f32
  }
  return
}
