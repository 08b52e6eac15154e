// RUN: halo-opt %s --halo-linalg-to-loops --canonicalize --cse --split-input-file | FileCheck %s

// Contiguous operands of one shape are one loop.

// CHECK-LABEL: func.func @elementwise
//  CHECK-SAME:   %[[A:.*]]: memref<4x8x16xf32>, %[[B:.*]]: memref<4x8x16xf32>
//   CHECK-DAG:   %[[FLAT_A:.*]] = memref.collapse_shape %[[A]] {{\[\[}}0, 1, 2]]
//   CHECK-DAG:   %[[FLAT_B:.*]] = memref.collapse_shape %[[B]] {{\[\[}}0, 1, 2]]
//       CHECK:   scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c512) step (%c1)
//       CHECK:     %[[X:.*]] = memref.load %[[FLAT_A]][%[[I]]] : memref<512xf32>
//       CHECK:     %[[Y:.*]] = arith.negf %[[X]]
//       CHECK:     memref.store %[[Y]], %[[FLAT_B]][%[[I]]]
func.func @elementwise(%a: memref<4x8x16xf32>, %b: memref<4x8x16xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<4x8x16xf32>) outs(%b : memref<4x8x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.negf %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A row's sum stays in a register, and may be reassociated.

// CHECK-LABEL: func.func @row_sum
//       CHECK:   scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c64)
//       CHECK:     %[[INIT:.*]] = memref.load %{{.*}}[%[[I]]] : memref<64xf32>
//       CHECK:     %[[SUM:.*]] = scf.for %[[J:.*]] = %{{.*}} to %c100 step %c1 iter_args(%[[ACC:.*]] = %[[INIT]])
//       CHECK:       %[[X:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]]
//       CHECK:       arith.addf %[[ACC]], %[[X]] fastmath<reassoc,contract>
//       CHECK:     memref.store %[[SUM]], %{{.*}}[%[[I]]]
func.func @row_sum(%a: memref<64x100xf32>, %b: memref<64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x100xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A column's sum stays in memory; the contiguous loop is innermost.

// CHECK-LABEL: func.func @column_sum
//       CHECK:   scf.parallel (%[[PIECE:.*]]) = (%{{.*}}) to (%c4)
//       CHECK:     %[[LOWER:.*]] = arith.muli %[[PIECE]], %c256
//       CHECK:     %[[UPPER:.*]] = arith.addi %[[LOWER]], %c256
//       CHECK:     scf.for %[[I:.*]] = %c0 to %c100
//       CHECK:       scf.for %[[J:.*]] = %[[LOWER]] to %[[UPPER]]
//       CHECK:         memref.load %{{.*}}[%[[I]], %[[J]]]
//       CHECK:         memref.load %{{.*}}[%[[J]]]
//       CHECK:         memref.store %{{.*}}[%[[J]]]
func.func @column_sum(%a: memref<100x1024xf32>, %b: memref<1024xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<100x1024xf32>) outs(%b : memref<1024xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A reduction of two operands whose body is no combination of two values keeps
// its order.

// CHECK-LABEL: func.func @argmax
//   CHECK-NOT:   scf.parallel
//       CHECK:   %[[RESULT:.*]]:2 = scf.for %[[I:.*]] = {{.*}} iter_args({{.*}}) -> (f32, index)
//       CHECK:     arith.select %{{.*}}, %[[I]], %{{.*}} : index
func.func @argmax(%a: memref<300000xf32>, %b: memref<f32>, %c: memref<index>) {
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]}
      ins(%a : memref<300000xf32>) outs(%b, %c : memref<f32>, memref<index>) {
  ^bb0(%x: f32, %best: f32, %where: index):
    %i = linalg.index 0 : index
    %0 = arith.cmpf ogt, %x, %best : f32
    %1 = arith.select %0, %x, %best : f32
    %2 = arith.select %0, %i, %where : index
    linalg.yield %1, %2 : f32, index
  }
  return
}

// -----

// A cumulative sum goes through vectors, of which each is scanned in a register. What is
// left of a row carries its running value, and stores it at each step.

// CHECK-LABEL: func.func @cumulative
//       CHECK:   scf.parallel (%[[I:.*]]) =
//       CHECK:     %[[START:.*]] = memref.load %arg2[%[[I]]]
//       CHECK:     %[[MIDDLE:.*]] = scf.for %[[J:.*]] = %c0{{.*}} to %c96 step %c16{{.*}} iter_args(%[[BEFORE:.*]] = %[[START]]) -> (f32)
//       CHECK:       %[[X:.*]] = vector.load %arg0[%[[I]], %[[J]]] : memref<64x100xf32>, vector<16xf32>
//       CHECK:       %[[MOVED:.*]] = vector.shuffle %[[ZERO:.*]], %[[X]] [0, 16, 17, {{.*}}, 30]
//       CHECK:       %[[PAIRS:.*]] = arith.addf %[[MOVED]], %[[X]] : vector<16xf32>
//       CHECK:       vector.shuffle %[[ZERO]], %[[PAIRS]] [0, 1, 16, 17, {{.*}}, 29]
//       CHECK:       vector.shuffle {{.*}} [0, 1, 2, 3, 16, {{.*}}, 27]
//       CHECK:       vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, {{.*}}, 23]
//       CHECK:       %[[SCANNED:.*]] = arith.addf {{.*}} : vector<16xf32>
//       CHECK:       %[[ALL_BEFORE:.*]] = vector.broadcast %[[BEFORE]]
//       CHECK:       %[[SUMS:.*]] = arith.addf %[[ALL_BEFORE]], %[[SCANNED]] : vector<16xf32>
//       CHECK:       vector.store %[[SUMS]], %arg1[%[[I]], %[[J]]]
//       CHECK:       %[[LAST:.*]] = vector.extract %[[SCANNED]][15]
//       CHECK:       %[[NEXT:.*]] = arith.addf %[[BEFORE]], %[[LAST]] : f32
//       CHECK:       scf.yield %[[NEXT]]
//       CHECK:     %[[END:.*]] = scf.for %[[J:.*]] = %c96{{.*}} to %c100{{.*}} iter_args(%[[RUNNING:.*]] = %[[MIDDLE]]) -> (f32)
//       CHECK:       %[[X:.*]] = memref.load %arg0[%[[I]], %[[J]]]
//       CHECK:       %[[SUM:.*]] = arith.addf %[[RUNNING]], %[[X]] : f32
//       CHECK:       memref.store %[[SUM]], %arg1[%[[I]], %[[J]]]
//       CHECK:       scf.yield %[[SUM]]
//       CHECK:     memref.store %[[END]], %arg2[%[[I]]]
func.func @cumulative(%a: memref<64x100xf32>, %b: memref<64x100xf32>, %c: memref<64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x100xf32>) outs(%b, %c : memref<64x100xf32>, memref<64xf32>) {
  ^bb0(%x: f32, %out: f32, %running: f32):
    %0 = arith.addf %running, %x : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// A window's bounds come from an operand that is not read. The innermost loop is the one
// along which the others are contiguous, and the window is unrolled in it.

// CHECK-LABEL: func.func @window
//       CHECK:   scf.for %[[C:.*]] = %{{.*}} to %c64 step
//       CHECK:     %[[START:.*]] = memref.load %arg2[%[[P:.*]], %[[C]]]
//       CHECK:     %[[X0:.*]] = memref.load %arg0[%{{.*}}, %[[C]]]
//       CHECK:     %[[MOST0:.*]] = arith.maximumf %[[START]], %[[X0]]
//       CHECK:     %[[X1:.*]] = memref.load %arg0[%{{.*}}, %[[C]]]
//       CHECK:     %[[MOST1:.*]] = arith.maximumf %[[MOST0]], %[[X1]]
//       CHECK:     %[[X2:.*]] = memref.load %arg0[%{{.*}}, %[[C]]]
//       CHECK:     %[[MOST2:.*]] = arith.maximumf %[[MOST1]], %[[X2]]
//       CHECK:     memref.store %[[MOST2]], %arg2[%[[P]], %[[C]]]
//   CHECK-NOT:   memref.load %arg1
func.func @window(%a: memref<33x64xf32>, %shape: memref<3xi8>, %b: memref<16x64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(p, c, w) -> (2 * p + w, c)>, affine_map<(p, c, w) -> (w)>, affine_map<(p, c, w) -> (p, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %shape : memref<33x64xf32>, memref<3xi8>) outs(%b : memref<16x64xf32>) {
  ^bb0(%x: f32, %unread: i8, %most: f32):
    %0 = arith.maximumf %most, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A transposition goes through squares in vector registers, along the result first. Four columns
// are made at once: pieces of rows that are four apart are joined, and these interleaved within
// fours.

// CHECK-LABEL: func.func @transpose
//       CHECK:   scf.parallel (%[[BLOCK:.*]]) = (%{{.*}}) to (%c2)
//       CHECK:     scf.for %[[COLUMN:.*]] =
//       CHECK:       scf.for %[[ROW:.*]] = %c0{{.*}} to %c128{{.*}} step %c16
//       CHECK:         scf.for %[[FIRST:.*]] = %c0{{.*}} to %c16{{.*}} step %c4
//       CHECK:           %[[AT:.*]] = arith.addi %[[COLUMN]], %[[FIRST]]
//       CHECK:           vector.load %arg0[%[[ROW]], %[[AT]]] : {{.*}} vector<4xf32>
//       CHECK:           %[[FOURTH:.*]] = arith.addi %[[ROW]], %c4
//       CHECK:           vector.load %arg0[%[[FOURTH]], %[[AT]]] : {{.*}} vector<4xf32>
// CHECK-COUNT-2:         vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-2:         vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>
//       CHECK:           %[[JOINED:.*]] = vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// CHECK-COUNT-12:        vector.load {{.*}} vector<4xf32>
//       CHECK:           vector.shuffle %[[JOINED]], {{.*}} [0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29]
//       CHECK:           vector.shuffle %[[JOINED]], {{.*}} [2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31]
// CHECK-COUNT-6:         vector.shuffle {{.*}} : vector<16xf32>
//       CHECK:           vector.store %{{.*}}, %arg1[%[[AT]], %[[ROW]]] : {{.*}} vector<16xf32>
// CHECK-COUNT-3:         vector.store %{{.*}} : {{.*}} vector<16xf32>
//   CHECK-NOT:           vector
//       CHECK:   return
func.func @transpose(%a: memref<128x128xf32>, %b: memref<128x128xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<128x128xf32>) outs(%b : memref<128x128xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// A computation is on vectors along the rows of its operands, and its result is transposed.

// CHECK-LABEL: func.func @transpose_result_of_computation
//       CHECK:   scf.parallel
//       CHECK:     %[[SQUARE:.*]] = memref.alloc() {{.*}} : memref<16x16xf32>
//       CHECK:     scf.for %[[NUMBER:.*]] = %c0{{.*}} to %c16
//   CHECK-DAG:       %[[Y:.*]] = memref.load %arg1
//   CHECK-DAG:       %[[X:.*]] = vector.load %arg0{{.*}} vector<16xf32>
//       CHECK:       %[[ALL:.*]] = vector.broadcast %[[Y]] : f32 to vector<16xf32>
//       CHECK:       %[[SUM:.*]] = arith.addf %[[X]], %[[ALL]] : vector<16xf32>
//       CHECK:       vector.store %[[SUM]], %[[SQUARE]][%[[NUMBER]], %c0{{.*}}]
//       CHECK:     vector.load %[[SQUARE]]
//       CHECK:     vector.shuffle
// CHECK-COUNT-4:   vector.store {{.*}}, %arg2{{.*}} vector<16xf32>
func.func @transpose_result_of_computation(%a: memref<128x128xf32>, %b: memref<128xf32>, %c: memref<128x128xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<128x128xf32>, memref<128xf32>) outs(%c : memref<128x128xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Where only some operands lie across, these are transposed. Two doubles are interleaved at once.

// CHECK-LABEL: func.func @transpose_operand_of_computation
//       CHECK:   scf.parallel
//       CHECK:     %[[SQUARE:.*]] = memref.alloc() {{.*}} : memref<8x8xf64>
// CHECK-COUNT-4:   vector.load %arg0{{.*}} vector<2xf64>
//       CHECK:     vector.shuffle {{.*}} [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK-COUNT-2:   vector.store {{.*}}, %[[SQUARE]]{{.*}} vector<8xf64>
//       CHECK:     scf.for %[[NUMBER:.*]] = %c0{{.*}} to %c8
//   CHECK-DAG:       %[[X:.*]] = vector.load %[[SQUARE]][%[[NUMBER]]
//   CHECK-DAG:       %[[Y:.*]] = vector.load %arg1
//       CHECK:       %[[SUM:.*]] = arith.addf %[[X]], %[[Y]] : vector<8xf64>
//       CHECK:       vector.store %[[SUM]], %arg2
func.func @transpose_operand_of_computation(%a: memref<128x128xf64>, %b: memref<128x128xf64>, %c: memref<128x128xf64>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<128x128xf64>, memref<128x128xf64>) outs(%c : memref<128x128xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.addf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}

// -----

// What has no form on vectors, such as bf16, is computed element by element, in blocks.

// CHECK-LABEL: func.func @transpose_of_elements
//   CHECK-NOT:   vector
//       CHECK:   memref.store
func.func @transpose_of_elements(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<128x128xbf16>) outs(%b : memref<128x128xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    %0 = arith.negf %x : bf16
    linalg.yield %0 : bf16
  }
  return
}

// -----

// A result that is larger than the caches is stored past them, in lines.

// CHECK-LABEL: func.func @transpose_result
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : {{.*}} vector<16xf32>
func.func @transpose_result(%a: memref<4096x2048xf32>, %b: memref<2048x4096xf32>) attributes {halo.entry} {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4096x2048xf32>) outs(%b : memref<2048x4096xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// Its rows are not made of lines, and so are stored as others.

// CHECK-LABEL: func.func @transpose_of_odd_rows
//   CHECK-NOT:   nontemporal
//       CHECK:   return
func.func @transpose_of_odd_rows(%a: memref<4100x2048xf32>, %b: memref<2048x4100xf32>) attributes {halo.entry} {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4100x2048xf32>) outs(%b : memref<2048x4100xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// A loop over a large result is in pieces that are alike, for stores of whole lines; one
// whose elements are used again is not, and can become a call of memset.

// CHECK-LABEL: func.func @pieces_of_result
//       CHECK:   scf.parallel {{.*}} to (%c4096)
//       CHECK:     scf.for
// CHECK-LABEL: func.func @fill_of_result
//       CHECK:   scf.parallel {{.*}} to (%c16777216)
//   CHECK-NOT:     scf.for
//       CHECK:     memref.store
func.func @pieces_of_result(%a: memref<16777216xf32>, %b: memref<16777216xf32>) attributes {halo.entry} {
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%a : memref<16777216xf32>) outs(%b : memref<16777216xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.negf %x : f32
    linalg.yield %0 : f32
  }
  return
}

func.func @fill_of_result(%i: index, %b: memref<16777216xf32>) attributes {halo.entry} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%b : memref<16777216xf32>)
  memref.store %one, %b[%i] : memref<16777216xf32>
  return
}

// -----

// Small outer dimensions are one parallel loop.

// CHECK-LABEL: func.func @broadcast
//       CHECK:   scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c100)
//   CHECK-DAG:     arith.remui %[[I]], %c25
//   CHECK-DAG:     arith.divui %[[I]], %c25
//       CHECK:     scf.for
//       CHECK:       memref.store
func.func @broadcast(%a: memref<4x25x64xf32>, %b: memref<25xf32>, %c: memref<4x25x64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b : memref<4x25x64xf32>, memref<25xf32>) outs(%c : memref<4x25x64xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @scalar
//   CHECK-NOT:   scf
//       CHECK:   arith.addf
//       CHECK:   memref.store
func.func @scalar(%a: memref<f32>, %b: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%a : memref<f32>) outs(%b : memref<f32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Nothing is left of an op that iterates over nothing.

// CHECK-LABEL: func.func @empty
//  CHECK-NEXT:   return
func.func @empty(%a: memref<4x0xf32>, %b: memref<4xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x0xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A copy between layouts is a loop too; a plain one is left to memcpy.

// CHECK-LABEL: func.func @copy
//       CHECK:   memref.copy %{{.*}}, %{{.*}} : memref<4x5xf32> to memref<4x5xf32>
//   CHECK-NOT:   memref.copy
//       CHECK:   memref.store
func.func @copy(%a: memref<4x5xf32>, %b: memref<4x5xf32>, %c: memref<10x10xf32>) {
  memref.copy %a, %b : memref<4x5xf32> to memref<4x5xf32>
  %0 = memref.subview %c[2, 3] [4, 5] [1, 1] : memref<10x10xf32> to memref<4x5xf32, strided<[10, 1], offset: 23>>
  memref.copy %a, %0 : memref<4x5xf32> to memref<4x5xf32, strided<[10, 1], offset: 23>>
  return
}

// -----

// More elements than can be counted stay as they are.

// CHECK-LABEL: func.func @uncountable
// CHECK: linalg.generic
func.func @uncountable(%x: memref<4294967296x4294967296x4xf32>, %y: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>],
                  iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%x : memref<4294967296x4294967296x4xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// More iterations than can be counted, over operands that each can be.

// CHECK-LABEL: func.func @uncountable_together
// CHECK-NOT: linalg.generic
func.func @uncountable_together(%x: memref<4611686018427387xf32>, %y: memref<4611686018427387xf32>,
                                %z: memref<4611686018427387xf32>, %out: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (j)>,
                                   affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> ()>],
                  iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%x, %y, %z : memref<4611686018427387xf32>, memref<4611686018427387xf32>, memref<4611686018427387xf32>)
      outs(%out : memref<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  }
  return
}
