// RUN: halo-opt %s --halo-lower-contractions=machine=aarch64 --canonicalize --cse --split-input-file | FileCheck %s

// A constant is packed when compiling, in panels of 12 columns; zeros fill the last one.
// Nothing else reads the constant as it was. Both products have the same panels, whatever
// the order of the dimensions is that they come from.

// CHECK-NOT: memref.global {{.*}} @weights :
// CHECK: memref.global "private" constant @weights_panels_12_20_1 : memref<2x4x12xi32>
// CHECK-SAME{LITERAL}: = dense<[[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111], [200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211], [300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311]],
// CHECK-SAME{LITERAL}: [[12, 13, 14, 15, 16, 17, 18, 19, 0, 0, 0, 0], [112, 113, 114, 115, 116, 117, 118, 119, 0, 0, 0, 0], [212, 213, 214, 215, 216, 217, 218, 219, 0, 0, 0, 0], [312, 313, 314, 315, 316, 317, 318, 319, 0, 0, 0, 0]]]>
// CHECK-SAME: {alignment = 64 : i64}
// CHECK-NOT: memref.global
// CHECK-LABEL: func.func @packed
//   CHECK-NOT:   halo.packing
//       CHECK:   %[[PANELS:.*]] = memref.get_global @weights_panels_12_20_1
//       CHECK:   vector.load %[[PANELS]]
// CHECK-LABEL: func.func @again
//       CHECK:   memref.get_global @weights_panels_12_20_1
memref.global "private" constant @weights : memref<4x20xi32> = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19], [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119], [200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219], [300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319]]>
func.func @packed(%x: memref<64x4xi32>, %y: memref<64x20xi32>) {
  %w = memref.get_global @weights : memref<4x20xi32>
  linalg.matmul ins(%x, %w : memref<64x4xi32>, memref<4x20xi32>) outs(%y : memref<64x20xi32>)
  return
}
func.func @again(%x: memref<64x4xi32>, %y: memref<64x20xi32>) {
  %w = memref.get_global @weights : memref<4x20xi32>
  %view = memref.expand_shape %w [[0, 1], [2]] output_shape [2, 2, 20] : memref<4x20xi32> into memref<2x2x20xi32>
  %matrix = memref.collapse_shape %view [[0, 1], [2]] : memref<2x2x20xi32> into memref<4x20xi32>
  linalg.matmul ins(%x, %matrix : memref<64x4xi32>, memref<4x20xi32>) outs(%y : memref<64x20xi32>)
  return
}

// -----

// A transposed constant; it stays, since something else reads it.

// CHECK: memref.global "private" constant @transposed_panels_12_1_4 : memref<2x4x12xi32>
// CHECK-SAME{LITERAL}: = dense<[[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111], [200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211], [300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311]],
// CHECK: memref.global "private" constant @transposed : memref<20x4xi32>
// CHECK-LABEL: func.func @transposed_constant
//   CHECK-DAG:   memref.get_global @transposed_panels_12_1_4
//   CHECK-DAG:   memref.get_global @transposed :
memref.global "private" constant @transposed : memref<20x4xi32> = dense<[[0, 100, 200, 300], [1, 101, 201, 301], [2, 102, 202, 302], [3, 103, 203, 303], [4, 104, 204, 304], [5, 105, 205, 305], [6, 106, 206, 306], [7, 107, 207, 307], [8, 108, 208, 308], [9, 109, 209, 309], [10, 110, 210, 310], [11, 111, 211, 311], [12, 112, 212, 312], [13, 113, 213, 313], [14, 114, 214, 314], [15, 115, 215, 315], [16, 116, 216, 316], [17, 117, 217, 317], [18, 118, 218, 318], [19, 119, 219, 319]]>
func.func @transposed_constant(%x: memref<64x4xi32>, %y: memref<64x20xi32>, %z: memref<20x4xi32>) {
  %w = memref.get_global @transposed : memref<20x4xi32>
  linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<64x4xi32>, memref<20x4xi32>) outs(%y : memref<64x20xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %0 = arith.muli %a, %b : i32
    %1 = arith.addi %c, %0 : i32
    linalg.yield %1 : i32
  }
  memref.copy %w, %z : memref<20x4xi32> to memref<20x4xi32>
  return
}

// -----

// A global that can change is packed when the program runs.

// CHECK-LABEL: func.func @variable
//       CHECK:   %[[W:.*]] = memref.get_global @state
//       CHECK:   vector.load %[[W]]
memref.global "private" @state : memref<4x20xi32> = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19], [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119], [200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219], [300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319]]>
func.func @variable(%x: memref<64x4xi32>, %y: memref<64x20xi32>) {
  %w = memref.get_global @state : memref<4x20xi32>
  linalg.matmul ins(%x, %w : memref<64x4xi32>, memref<4x20xi32>) outs(%y : memref<64x20xi32>)
  return
}
