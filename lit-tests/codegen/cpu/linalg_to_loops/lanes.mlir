// RUN: halo-opt %s --halo-linalg-to-loops --canonicalize --cse --split-input-file | FileCheck %s

// The first of the largest of a row and its place, in vectors of 32 lanes of which the
// last one begins where it fits. A row with NaN is reduced one by one.

// CHECK-LABEL: func.func @argmax
//       CHECK:   scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c64)
//       CHECK:     %[[LANES:.*]]:2 = scf.for %[[J:.*]] = %c0 to %c96 step %c32
//  CHECK-SAME:         -> (vector<32xf32>, vector<32xi32>)
//       CHECK:       vector.load %arg0[%[[I]], %[[J]]] : memref<64x100xf32>, vector<32xf32>
//       CHECK:       arith.cmpf ogt, %{{.*}} : vector<32xf32>
//       CHECK:       arith.select %{{.*}} : vector<32xi1>, vector<32xi32>
//       CHECK:     vector.load %arg0[%[[I]], %c68] : memref<64x100xf32>, vector<32xf32>
//       CHECK:     vector.shuffle {{.*}} : vector<32xf32>, vector<32xf32>
//       CHECK:     arith.cmpf ogt, %{{.*}} : vector<16xf32>
//       CHECK:     arith.cmpf ogt, %{{.*}} : vector<1xf32>
//       CHECK:     %[[NAN:.*]] = arith.cmpf uno
//       CHECK:     scf.if %[[NAN]]
//       CHECK:       scf.for %{{.*}} = %c0 to %c100 step %c1
//       CHECK:         arith.cmpf ogt, %{{.*}} : f32
func.func @argmax(%a: memref<64x100xf32>, %values: memref<64xf32>, %places: memref<64xi32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x100xf32>) outs(%values, %places : memref<64xf32>, memref<64xi32>) {
  ^bb0(%x: f32, %value: f32, %place: i32):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i32
    %0 = arith.cmpf ogt, %value, %x : f32
    %1 = arith.cmpf une, %value, %value : f32
    %2 = arith.ori %0, %1 : i1
    %3 = arith.cmpf oeq, %value, %x : f32
    %4 = arith.cmpi slt, %place, %here : i32
    %5 = arith.andi %3, %4 : i1
    %6 = arith.ori %2, %5 : i1
    %7 = arith.select %2, %value, %x : f32
    %8 = arith.select %6, %place, %here : i32
    linalg.yield %7, %8 : f32, i32
  }
  return
}

// -----

// The order of equal elements decides which place is selected.

// CHECK-LABEL: func.func @last_largest
//   CHECK-NOT:   vector
//       CHECK:   scf.for %{{.*}} = %c0 to %c100 step %c1
//   CHECK-NOT:   vector
func.func @last_largest(%a: memref<64x100xf32>, %values: memref<64xf32>, %places: memref<64xi32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x100xf32>) outs(%values, %places : memref<64xf32>, memref<64xi32>) {
  ^bb0(%x: f32, %value: f32, %place: i32):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i32
    %0 = arith.cmpf ogt, %value, %x : f32
    %1 = arith.select %0, %value, %x : f32
    %2 = arith.select %0, %place, %here : i32
    linalg.yield %1, %2 : f32, i32
  }
  return
}

// -----

// No order of the integers is both the signed and the unsigned one.

// CHECK-LABEL: func.func @two_orders
//   CHECK-NOT:   vector
//       CHECK:   scf.for %{{.*}} = %c0 to %c100 step %c1
//   CHECK-NOT:   vector
func.func @two_orders(%a: memref<64x100xi32>, %values: memref<64xi32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<64x100xi32>) outs(%values : memref<64xi32>) {
  ^bb0(%x: i32, %value: i32):
    %0 = arith.cmpi sgt, %value, %x : i32
    %1 = arith.cmpi ugt, %value, %x : i32
    %2 = arith.andi %0, %1 : i1
    %3 = arith.select %2, %value, %x : i32
    linalg.yield %3 : i32
  }
  return
}
