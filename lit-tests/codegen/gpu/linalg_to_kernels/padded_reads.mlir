// RUN: halo-opt --pass-pipeline='builtin.module(func.func(halo-linalg-to-kernels,canonicalize,cse))' --split-input-file %s | FileCheck %s

// The maximum over windows of a padded image reads the image, and starts from what fills
// its result: one kernel, without a buffer.

// CHECK-LABEL: func.func @window
//   CHECK-NOT:   memref.alloc
//       CHECK:   gpu.launch
//       CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %cst)
//       CHECK:       %[[ROW:.*]] = arith.addi %{{.*}}, %c-1
//       CHECK:       %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c64
//       CHECK:       %[[SAFE:.*]] = arith.select %[[INSIDE]], %[[ROW]], %c0
//       CHECK:       %[[X:.*]] = memref.load %arg0[%[[SAFE]], %{{.*}}] : memref<64x32xf32>
//       CHECK:       arith.select %[[INSIDE]], %[[X]], %cst
//       CHECK:     memref.store %{{.*}}, %arg2
//       CHECK:   halo.strategy = "sequential_reduction"
//   CHECK-NOT:   gpu.launch
func.func @window(%x: memref<64x32xf32>, %shape: memref<3xi8>, %out: memref<64x32xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %padded = memref.alloc() : memref<66x32xf32>
  linalg.fill ins(%least : f32) outs(%padded : memref<66x32xf32>)
  %inside = memref.subview %padded[1, 0] [64, 32] [1, 1] : memref<66x32xf32> to memref<64x32xf32, strided<[32, 1], offset: 32>>
  memref.copy %x, %inside : memref<64x32xf32> to memref<64x32xf32, strided<[32, 1], offset: 32>>
  linalg.fill ins(%least : f32) outs(%out : memref<64x32xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(y, c, i) -> (y + i, c)>, affine_map<(y, c, i) -> (i)>, affine_map<(y, c, i) -> (y, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %shape : memref<66x32xf32>, memref<3xi8>) outs(%out : memref<64x32xf32>) {
  ^bb0(%e: f32, %unread: i8, %most: f32):
    %0 = arith.maximumf %most, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Something else reads the padded buffer. One kernel writes all of it; vectors of channels
// are inside or outside as a whole.

// CHECK-LABEL: func.func @channels
//       CHECK:   %[[PADDED:.*]] = memref.alloc() : memref<58x64xf32>
//       CHECK:   gpu.launch
//       CHECK:     %[[ROW:.*]] = arith.addi %{{.*}}, %c-1
//       CHECK:     %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c56
//       CHECK:     %[[SAFE:.*]] = arith.select %[[INSIDE]], %[[ROW]], %c0
//       CHECK:     vector.load %arg0[%[[SAFE]], %{{.*}}] {alignment = 16 : i64} : memref<56x64xf32>, vector<4xf32>
// CHECK-COUNT-4:     arith.select %[[INSIDE]], %{{.*}}, %cst
//       CHECK:     vector.store {{.*}} %[[PADDED]]
//       CHECK:   halo.strategy = "elementwise"
//   CHECK-NOT:   gpu.launch
//       CHECK:   call @reader(%[[PADDED]])
func.func private @reader(memref<58x64xf32>)
func.func @channels(%x: memref<56x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<58x64xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<58x64xf32>)
  %inside = memref.subview %padded[1, 0] [56, 64] [1, 1] : memref<58x64xf32> to memref<56x64xf32, strided<[64, 1], offset: 64>>
  memref.copy %x, %inside : memref<56x64xf32> to memref<56x64xf32, strided<[64, 1], offset: 64>>
  func.call @reader(%padded) : (memref<58x64xf32>) -> ()
  return
}

// -----

// Padding along the contiguous dimension: each element is compared.

// CHECK-LABEL: func.func @columns
//       CHECK:   gpu.launch
//   CHECK-NOT:     vector.load
// CHECK-COUNT-4:     memref.load %arg0
//       CHECK:     vector.store
//       CHECK:   halo.strategy = "elementwise"
//   CHECK-NOT:   gpu.launch
func.func @columns(%x: memref<56x61xf32>, %padded: memref<56x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%padded : memref<56x64xf32>)
  %inside = memref.subview %padded[0, 2] [56, 61] [1, 1] : memref<56x64xf32> to memref<56x61xf32, strided<[64, 1], offset: 2>>
  memref.copy %x, %inside : memref<56x61xf32> to memref<56x61xf32, strided<[64, 1], offset: 2>>
  return
}

// -----

// Nothing of an empty image is read, and what is copied last is inside of both.

// CHECK-LABEL: func.func @empty
// CHECK-COUNT-1: halo.strategy = "elementwise"
//   CHECK-NOT:   memref.load
func.func @empty(%x: memref<0x64xf32>, %padded: memref<2x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%padded : memref<2x64xf32>)
  %inside = memref.subview %padded[1, 0] [0, 64] [1, 1] : memref<2x64xf32> to memref<0x64xf32, strided<[64, 1], offset: 64>>
  memref.copy %x, %inside : memref<0x64xf32> to memref<0x64xf32, strided<[64, 1], offset: 64>>
  return
}

// -----

// The diagonal of a padded matrix with fewer rows than columns inside: an index that is
// inside of one dimension only is outside.

// CHECK-LABEL: func.func @diagonal
//       CHECK:   gpu.launch
//   CHECK-NOT:     arith.cmpi ult, %{{.*}}, %c5 :
//       CHECK:     arith.cmpi ult, %{{.*}}, %c3 :
//   CHECK-NOT:     arith.cmpi ult, %{{.*}}, %c5 :
//       CHECK:     memref.load %arg0
//   CHECK-NOT:   gpu.launch
func.func @diagonal(%x: memref<5x3xf32>, %out: memref<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<7x7xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<7x7xf32>)
  %inside = memref.subview %padded[1, 1] [5, 3] [1, 1] : memref<7x7xf32> to memref<5x3xf32, strided<[7, 1], offset: 8>>
  memref.copy %x, %inside : memref<5x3xf32> to memref<5x3xf32, strided<[7, 1], offset: 8>>
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%padded : memref<7x7xf32>) outs(%out : memref<7xf32>) {
  ^bb0(%e: f32, %unread: f32):
    linalg.yield %e : f32
  }
  return
}

// -----

// In a loop that is a kernel, padding stays as it is.

// CHECK-LABEL: func.func @in_kernel
//       CHECK:   gpu.launch
//       CHECK:     linalg.fill
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}} : memref<1x8xf32
//   CHECK-NOT:   gpu.launch
func.func @in_kernel(%x: memref<4x8xf32>, %out: memref<4x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %row = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    %result = memref.subview %out[%i, 0] [1, 10] [1, 1] : memref<4x10xf32> to memref<1x10xf32, strided<[10, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%result : memref<1x10xf32, strided<[10, 1], offset: ?>>)
    %inside = memref.subview %result[0, 1] [1, 8] [1, 1] : memref<1x10xf32, strided<[10, 1], offset: ?>> to memref<1x8xf32, strided<[10, 1], offset: ?>>
    memref.copy %row, %inside : memref<1x8xf32, strided<[8, 1], offset: ?>> to memref<1x8xf32, strided<[10, 1], offset: ?>>
  }
  return
}
