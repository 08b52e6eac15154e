// RUN: halo-opt %s --halo-linalg-to-loops --canonicalize --cse --split-input-file | FileCheck %s

// A sum of a row starts from what fills the result.

// CHECK-LABEL: func.func @row_sum
//   CHECK-DAG:   %[[START:.*]] = arith.constant 2.000000e+00 : f32
//       CHECK:   scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c64)
//   CHECK-NOT:     memref.load %arg1
//       CHECK:     %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
//       CHECK:     memref.store %[[SUM]], %arg1[%[[I]]]
//   CHECK-NOT:   scf.parallel
func.func @row_sum(%a: memref<64x100xf32>, %b: memref<64xf32>) {
  %two = arith.constant 2.0 : f32
  linalg.fill ins(%two : f32) outs(%b : memref<64xf32>)
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

// Sums of columns are filled in the loop that adds them up.

// CHECK-LABEL: func.func @column_sum
//       CHECK:   scf.parallel (%[[PIECE:.*]]) = (%{{.*}}) to (%c4)
//       CHECK:     scf.for %[[J:.*]] = %[[LOWER:.*]] to %[[UPPER:.*]] step
//       CHECK:       memref.store %cst, %arg1[%[[J]]]
//       CHECK:     scf.for %{{.*}} = %c0 to %c100
//       CHECK:       scf.for %{{.*}} = %[[LOWER]] to %[[UPPER]] step
//   CHECK-NOT:   scf.parallel
func.func @column_sum(%a: memref<100x1024xf32>, %b: memref<1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%b : memref<1024xf32>)
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

// A fill that something else reads before stays.

// CHECK-LABEL: func.func @read_between
//       CHECK:   memref.store %cst, %arg1
//       CHECK:   memref.load %arg1
//       CHECK:   memref.store %{{.*}}, %arg2
//       CHECK:   %[[START:.*]] = memref.load %arg1
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
func.func @read_between(%a: memref<64x100xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%b : memref<64xf32>) outs(%c : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.negf %x : f32
    linalg.yield %0 : f32
  }
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

// So does one of more elements than the reduction writes, and one of an operand that the
// reduction also reads as another one.

// CHECK-LABEL: func.func @in_part
//       CHECK:   memref.store %cst, %arg1
//       CHECK:   memref.load %{{.*}} : memref<64xf32>
func.func @in_part(%a: memref<32x100xf32>, %b: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i * 2)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<32x100xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @read_twice
//       CHECK:   memref.store %cst, %arg1
//       CHECK:   memref.load %arg1
func.func @read_twice(%a: memref<64x100xf32>, %b: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<64x100xf32>, memref<64xf32>) outs(%b : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.mulf %y, %x : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

// A fill may be far away, behind loops that touch other buffers.

// CHECK-LABEL: func.func @far
//   CHECK-NOT:   memref.load %arg1
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %cst)
func.func @far(%a: memref<64x100xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %zero, %c[%i] : memref<64xf32>
  }
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

// And one of a result with an element for each iteration of the reduction.

// CHECK-LABEL: func.func @each_iteration
//       CHECK:   memref.store %cst, %{{.*}}
//       CHECK:   scf.for {{.*}} iter_args(%{{.*}} = %cst)
//       CHECK:     memref.load %arg1
//       CHECK:     memref.store %{{.*}}, %arg1
//       CHECK:   memref.store %{{.*}}, %arg2
func.func @each_iteration(%a: memref<64x100xf32>, %b: memref<64x100xf32>, %c: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%b : memref<64x100xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x100xf32>) outs(%b, %c : memref<64x100xf32>, memref<64xf32>) {
  ^bb0(%x: f32, %each: f32, %sum: f32):
    %0 = arith.subf %each, %x : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}
