// RUN: halo-opt %s --halo-lower-contractions --canonicalize --cse --split-input-file | FileCheck %s

// Neither the padding nor the patches of an image with its channels first are stored:
// a panel of pixels, at each channel and place of the window, is a part of the image
// that is loaded as vectors. Zeros are selected for pixels that lie outside, and what
// would lie outside of the buffer is not loaded.

// CHECK-LABEL: func.func @channels_first
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<1x64x56x56xf32>
//   CHECK-NOT:   linalg
//   CHECK-NOT:   memref.copy
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]] {{\[\[}}0, 1, 2, 3]] : memref<1x64x56x56xf32> into memref<200704xf32>
//   CHECK-NOT:   halo.packing
//       CHECK:   scf.parallel
//       CHECK:     %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x{{.*}}x32xf32>
//       CHECK:     %[[INSIDE:.*]] = arith.andi %{{.*}} : vector<16xi1>
//       CHECK:     %[[READ:.*]] = scf.if
//  CHECK-NEXT:       %[[ROW:.*]] = vector.load %[[FLAT]]{{.*}} vector<16xf32>
//       CHECK:     } else {
//       CHECK:       vector.gather %[[FLAT]]
//       CHECK:     }
//       CHECK:     %[[PIXELS:.*]] = arith.select %[[INSIDE]], %[[READ]]
//       CHECK:     vector.store %[[PIXELS]], %[[PANEL]]
//       CHECK:     vector.fma
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @channels_first(%image: memref<1x64x56x56xf32>, %filter: memref<64x576xf32>, %out: memref<64x3136xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x64x58x58xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x64x58x58xf32>)
  %patches = memref.alloc() : memref<64x3x3x1x56x56xf32>
  %inside = memref.subview %padded[0, 0, 1, 1] [1, 64, 56, 56] [1, 1, 1, 1] : memref<1x64x58x58xf32> to memref<1x64x56x56xf32, strided<[215296, 3364, 58, 1], offset: 59>>
  memref.copy %image, %inside : memref<1x64x56x56xf32> to memref<1x64x56x56xf32, strided<[215296, 3364, 58, 1], offset: 59>>
  linalg.generic {
      indexing_maps = [affine_map<(c, i, j, b, y, x) -> (b, c, y + i, x + j)>, affine_map<(c, i, j, b, y, x) -> (c, i, j, b, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<1x64x58x58xf32>) outs(%patches : memref<64x3x3x1x56x56xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<64x3x3x1x56x56xf32> into memref<576x3136xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<64x3136xf32>)
  linalg.matmul ins(%filter, %rhs : memref<64x576xf32>, memref<576x3136xf32>) outs(%out : memref<64x3136xf32>)
  return
}

// -----

// Rows of the result that are shorter than those of the image: a vector is loaded from
// each row that it has a part of, and every second pixel of it taken.

// CHECK-LABEL: func.func @strides
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<1x16x57x57xf32>
//   CHECK-NOT:   linalg
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]]
//       CHECK:   %[[NEXT:.*]] = arith.cmpi sge, %{{.*}} : vector<16xi32>
//       CHECK:   scf.if
//       CHECK:     %[[ALL:.*]] = vector.load %[[FLAT]]{{.*}} vector<32xf32>
//  CHECK-NEXT:     %[[FIRST:.*]], %{{.*}} = vector.deinterleave %[[ALL]]
//       CHECK:     %[[SECOND:.*]], %{{.*}} = vector.deinterleave
//       CHECK:     arith.select %[[NEXT]], %[[SECOND]], %[[FIRST]]
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @strides(%image: memref<1x16x57x57xf32>, %filter: memref<32x144xf32>, %out: memref<32x784xf32>) {
  %patches = memref.alloc() : memref<16x3x3x1x28x28xf32>
  linalg.generic {
      indexing_maps = [affine_map<(c, i, j, b, y, x) -> (b, c, y * 2 + i, x * 2 + j)>, affine_map<(c, i, j, b, y, x) -> (c, i, j, b, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x16x57x57xf32>) outs(%patches : memref<16x3x3x1x28x28xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<16x3x3x1x28x28xf32> into memref<144x784xf32>
  linalg.matmul ins(%filter, %rhs : memref<32x144xf32>, memref<144x784xf32>) outs(%out : memref<32x784xf32>)
  return
}

// -----

// Pixels that are four apart are copied.

// CHECK-LABEL: func.func @wide_strides
//       CHECK:   linalg.generic
//       CHECK:   vector.fma
func.func @wide_strides(%image: memref<1x16x64x64xf32>, %filter: memref<32x256xf32>, %out: memref<32x256xf32>) {
  %patches = memref.alloc() : memref<16x4x4x1x16x16xf32>
  linalg.generic {
      indexing_maps = [affine_map<(c, i, j, b, y, x) -> (b, c, y * 4 + i, x * 4 + j)>, affine_map<(c, i, j, b, y, x) -> (c, i, j, b, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x16x64x64xf32>) outs(%patches : memref<16x4x4x1x16x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<16x4x4x1x16x16xf32> into memref<256x256xf32>
  linalg.matmul ins(%filter, %rhs : memref<32x256xf32>, memref<256x256xf32>) outs(%out : memref<32x256xf32>)
  return
}

// -----

// Each image is a product of its own with all filters, and nothing is stored between
// image and result. The last of 25 panels has half as many columns as the others, and shares
// their tile, which has masks.

// CHECK-LABEL: func.func @images
//  CHECK-SAME:   %[[IMAGES:.*]]: memref<4x16x30x30xf32>, %[[FILTER:.*]]: memref<32x144xf32>, %[[OUT:.*]]: memref<4x32x784xf32>
//   CHECK-NOT:   linalg
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGES]]
//       CHECK:   scf.parallel (%{{.*}}) = (%{{.*}}) to (%c4)
//       CHECK:     scf.for %[[IMAGE:.*]] =
//       CHECK:       arith.muli %[[IMAGE]], %c14400
//       CHECK:       vector.load %[[FLAT]]
//       CHECK:       memref.load %[[FILTER]]
//       CHECK:       %[[MASK:.*]] = vector.create_mask
//       CHECK:       vector.maskedstore %[[OUT]][%[[IMAGE]], %{{.*}}], %[[MASK]]
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @images(%images: memref<4x16x30x30xf32>, %filter: memref<32x144xf32>, %out: memref<4x32x784xf32>) {
  %zero = arith.constant 0.0 : f32
  %patches = memref.alloc() : memref<4x16x3x3x28x28xf32>
  linalg.generic {
      indexing_maps = [affine_map<(b, c, i, j, y, x) -> (b, c, y + i, x + j)>, affine_map<(b, c, i, j, y, x) -> (b, c, i, j, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%images : memref<4x16x30x30xf32>) outs(%patches : memref<4x16x3x3x28x28xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rhs = memref.collapse_shape %patches [[0], [1, 2, 3], [4, 5]] : memref<4x16x3x3x28x28xf32> into memref<4x144x784xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<4x32x784xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%filter, %rhs : memref<32x144xf32>, memref<4x144x784xf32>) outs(%out : memref<4x32x784xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %z, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// Eight places side by side of an image with its channels last read ten pixels of a line,
// which are packed once for each line of the window; the rows of the product overlap.

// CHECK-LABEL: func.func @lines
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<1x56x56x64xf32>
//   CHECK-NOT:   linalg
//   CHECK-DAG:   %[[WINDOW:.*]] = arith.constant 192 : index
//   CHECK-DAG:   %[[SECOND:.*]] = arith.constant 64 : index
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]]
//       CHECK:   scf.parallel
//       CHECK:     %[[LINES:.*]] = memref.alloc() {{.*}} : memref<14x1x640xf32>
//       CHECK:       scf.for %{{.*}} = %c0 to %c10
//       CHECK:         vector.store %{{.*}}, %[[LINES]]
//   CHECK-NOT:     vector.store %{{.*}}, %[[LINES]]
//       CHECK:       scf.for %[[K:.*]] = %c0 to %[[WINDOW]]
//       CHECK:         memref.load %[[LINES]][%{{.*}}, %c0, %[[K]]]
//       CHECK:         %[[AT:.*]] = arith.addi %[[K]], %[[SECOND]]
//  CHECK-NEXT:         memref.load %[[LINES]][%{{.*}}, %c0, %[[AT]]]
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @lines(%image: memref<1x56x56x64xf32>, %filter: memref<576x64xf32>, %out: memref<3136x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x58x58x64xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x58x58x64xf32>)
  %patches = memref.alloc() : memref<1x56x56x3x3x64xf32>
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 56, 56, 64] [1, 1, 1, 1] : memref<1x58x58x64xf32> to memref<1x56x56x64xf32, strided<[215296, 3712, 64, 1], offset: 3776>>
  memref.copy %image, %inside : memref<1x56x56x64xf32> to memref<1x56x56x64xf32, strided<[215296, 3712, 64, 1], offset: 3776>>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y + i, x + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<1x58x58x64xf32>) outs(%patches : memref<1x56x56x3x3x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x56x56x3x3x64xf32> into memref<3136x576xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<3136x64xf32>)
  linalg.matmul ins(%lhs, %filter : memref<3136x576xf32>, memref<576x64xf32>) outs(%out : memref<3136x64xf32>)
  return
}

// -----

// Without padding a line is one run, whatever its pixels: seven rows, each two pixels
// behind the one before, read fifteen pixels of three channels.

// CHECK-LABEL: func.func @lines_of_few_channels
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<1x29x29x3xf32>
//   CHECK-NOT:   linalg
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]]
//       CHECK:   %[[LINES:.*]] = memref.alloc() {{.*}} : memref<28x3x45xf32>
//   CHECK-NOT:   arith.select
//       CHECK:   vector.load %[[FLAT]]
//  CHECK-NEXT:   vector.store %{{.*}}, %[[LINES]]
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @lines_of_few_channels(%image: memref<1x29x29x3xf32>, %filter: memref<27x64xf32>, %out: memref<196x64xf32>) {
  %patches = memref.alloc() : memref<1x14x14x3x3x3xf32>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y * 2 + i, x * 2 + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x29x29x3xf32>) outs(%patches : memref<1x14x14x3x3x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x14x14x3x3x3xf32> into memref<196x27xf32>
  linalg.matmul ins(%lhs, %filter : memref<196x27xf32>, memref<27x64xf32>) outs(%out : memref<196x64xf32>)
  return
}

// -----

// Eleven places in a line are not a multiple of the rows of a tile: a row of patches each.

// CHECK-LABEL: func.func @rows
//       CHECK:   memref.alloc() {{.*}} : memref<7x8x144xf32>
//       CHECK:   return
func.func @rows(%image: memref<1x12x13x16xf32>, %filter: memref<144x64xf32>, %out: memref<110x64xf32>) {
  %patches = memref.alloc() : memref<1x10x11x3x3x16xf32>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y + i, x + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x12x13x16xf32>) outs(%patches : memref<1x10x11x3x3x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x10x11x3x3x16xf32> into memref<110x144xf32>
  linalg.matmul ins(%lhs, %filter : memref<110x144xf32>, memref<144x64xf32>) outs(%out : memref<110x64xf32>)
  return
}

// -----

// Groups of features are a batch of products. The channels of a group are one pixel of a line, and
// those of the other are between two pixels.

// CHECK-LABEL: func.func @groups
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<1x56x56x2x32xf32>
//   CHECK-NOT:   linalg
//   CHECK-NOT:   memref.copy
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]] {{\[\[}}0, 1, 2, 3, 4]] : memref<1x56x56x2x32xf32> into memref<200704xf32>
//       CHECK:   scf.parallel
//       CHECK:     %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x3x320xf32>
//       CHECK:     scf.for %{{.*}} = %c0 to %c288 step %c96
//       CHECK:       scf.for %{{.*}} = %c0 to %c10 step %c1
//       CHECK:         %[[INSIDE:.*]] = arith.andi
//       CHECK:         %[[READ:.*]] = vector.load %[[FLAT]][%{{.*}}] : memref<200704xf32>, vector<16xf32>
//  CHECK-NEXT:         %[[PIXEL:.*]] = arith.select %[[INSIDE]], %[[READ]]
//       CHECK:         vector.store %[[PIXEL]], %[[PANEL]]
//       CHECK:     vector.fma
//   CHECK-NOT:   linalg
//       CHECK:   return
func.func @groups(%image: memref<1x56x56x2x32xf32>, %filter: memref<288x2x32xf32>, %out: memref<2x3136x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x58x58x2x32xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x58x58x2x32xf32>)
  %patches = memref.alloc() : memref<2x1x56x56x3x3x32xf32>
  %inside = memref.subview %padded[0, 1, 1, 0, 0] [1, 56, 56, 2, 32] [1, 1, 1, 1, 1] : memref<1x58x58x2x32xf32> to memref<1x56x56x2x32xf32, strided<[215296, 3712, 64, 32, 1], offset: 3776>>
  memref.copy %image, %inside : memref<1x56x56x2x32xf32> to memref<1x56x56x2x32xf32, strided<[215296, 3712, 64, 32, 1], offset: 3776>>
  linalg.generic {
      indexing_maps = [affine_map<(g, b, y, x, i, j, c) -> (b, y + i, x + j, g, c)>, affine_map<(g, b, y, x, i, j, c) -> (g, b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<1x58x58x2x32xf32>) outs(%patches : memref<2x1x56x56x3x3x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %lhs = memref.collapse_shape %patches [[0], [1, 2, 3], [4, 5, 6]] : memref<2x1x56x56x3x3x32xf32> into memref<2x3136x288xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<2x3136x32xf32>)
  linalg.generic {indexing_maps = [affine_map<(g, i, j, k) -> (g, i, k)>, affine_map<(g, i, j, k) -> (k, g, j)>, affine_map<(g, i, j, k) -> (g, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%lhs, %filter : memref<2x3136x288xf32>, memref<288x2x32xf32>) outs(%out : memref<2x3136x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// Another copy in a batch, such as that of a head's queries, is not packed from what it copies.

// CHECK-LABEL: func.func @heads
//       CHECK:   linalg.generic
//       CHECK:   vector.fma
func.func @heads(%queries: memref<64x4x32xf32>, %keys: memref<4x32x64xf32>, %out: memref<4x64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %lhs = memref.alloc() : memref<4x64x32xf32>
  linalg.generic {
      indexing_maps = [affine_map<(h, i, k) -> (i, h, k)>, affine_map<(h, i, k) -> (h, i, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%queries : memref<64x4x32xf32>) outs(%lhs : memref<4x64x32xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  linalg.fill ins(%zero : f32) outs(%out : memref<4x64x64xf32>)
  linalg.batch_matmul ins(%lhs, %keys : memref<4x64x32xf32>, memref<4x32x64xf32>) outs(%out : memref<4x64x64xf32>)
  return
}
