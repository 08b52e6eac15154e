// RUN: halo-opt %s --halo-lower-contractions='machine=x86-64-v4' --canonicalize --cse --split-input-file | FileCheck %s

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#s = affine_map<(m, n, k) -> (k floordiv 64, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// One row: weights are streamed and scaled in registers. Eight rows of weights have one scale.

// CHECK-LABEL: func.func @streamed
//  CHECK-SAME:   %{{.*}}: memref<1x256xf32>, %[[W:.*]]: memref<256x64xi8>, %[[S:.*]]: memref<4x64xf32>, %[[Y:.*]]: memref<1x64xf32>
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.for %[[K:.*]] = %c0 to %c256 step %c8
//       CHECK:     vector.load %[[Y]]
//       CHECK:     %[[GROUP:.*]] = arith.divui %[[K]], %c64
//       CHECK:     %[[SCALE:.*]] = vector.load %[[S]][%[[GROUP]], %[[N:.*]]] : memref<4x64xf32>, vector<16xf32>
//       CHECK:     %[[BYTES:.*]] = vector.load %[[W]][%[[K]], %[[N]]] : memref<256x64xi8>, vector<16xi8>
//       CHECK:     %[[FLOATS:.*]] = arith.sitofp %[[BYTES]] : vector<16xi8> to vector<16xf32>
//       CHECK:     %[[SCALED:.*]] = arith.mulf %[[FLOATS]], %[[SCALE]]
//       CHECK:     vector.fma %{{.*}}, %[[SCALED]]
//   CHECK-NOT:     vector.load %[[S]]
//       CHECK:     vector.store %{{.*}}, %[[Y]]
func.func @streamed(%x: memref<1x256xf32>, %w: memref<256x64xi8>, %s: memref<4x64xf32>, %y: memref<1x64xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : memref<1x256xf32>, memref<256x64xi8>, memref<4x64xf32>) outs(%y : memref<1x64xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %out: f32):
    %f = arith.sitofp %b : i8 to f32
    %p = arith.mulf %f, %c : f32
    %q = arith.mulf %a, %p : f32
    %t = arith.addf %out, %q : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#s = affine_map<(m, n, k) -> (k floordiv 64, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// Many rows: panels of rhs have scaled weights.

// CHECK-LABEL: func.func @packed
//  CHECK-SAME:   %{{.*}}: memref<96x256xf32>, %[[W:.*]]: memref<256x64xi8>, %[[S:.*]]: memref<4x64xf32>
//   CHECK-NOT:   memref<256x64xf32>
//       CHECK:   %[[SCALE:.*]] = vector.load %[[S]]
//       CHECK:   %[[BYTES:.*]] = vector.load %[[W]]{{.*}} vector<16xi8>
//       CHECK:   %[[FLOATS:.*]] = arith.sitofp %[[BYTES]]
//       CHECK:   %[[SCALED:.*]] = arith.mulf %[[FLOATS]], %[[SCALE]]
//       CHECK:   vector.store %[[SCALED]]
//       CHECK:   vector.fma
func.func @packed(%x: memref<96x256xf32>, %w: memref<256x64xi8>, %s: memref<4x64xf32>, %y: memref<96x64xf32>) {
  linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : memref<96x256xf32>, memref<256x64xi8>, memref<4x64xf32>) outs(%y : memref<96x64xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %out: f32):
    %f = arith.sitofp %b : i8 to f32
    %p = arith.mulf %f, %c : f32
    %q = arith.mulf %a, %p : f32
    %t = arith.addf %out, %q : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n floordiv 2)>
#y = affine_map<(m, n, k) -> (m, n)>

// Two numbers in a byte, for adjacent columns: eight bytes have the numbers of sixteen lanes.

// CHECK-LABEL: func.func @nibbles
//  CHECK-SAME:   %{{.*}}: memref<1x256xf32>, %[[W:.*]]: memref<256x32xi8>
//       CHECK:   %[[STEP:.*]] = vector.step : vector<16xindex>
//   CHECK-DAG:   %[[PART:.*]] = arith.remui %[[STEP]]
//   CHECK-DAG:   %[[FIRST:.*]] = arith.cmpi ult, %[[PART]]
//   CHECK-DAG:   %[[BYTES:.*]] = vector.load %[[W]]{{.*}} vector<8xi8>
//   CHECK-DAG:   %[[PAIRS:.*]] = vector.shuffle %[[BYTES]], %[[BYTES]] [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]
//       CHECK:   arith.select %[[FIRST]]
func.func @nibbles(%x: memref<1x256xf32>, %w: memref<256x32xi8>, %y: memref<1x64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<1x256xf32>, memref<256x32xi8>) outs(%y : memref<1x64xf32>) {
  ^bb0(%a: f32, %b: i8, %out: f32):
    %n = linalg.index 1 : index
    %part = arith.remui %n, %c2 : index
    %low = arith.andi %b, %c15 : i8
    %high = arith.shrui %b, %c4 : i8
    %first = arith.cmpi ult, %part, %c1 : index
    %number = arith.select %first, %low, %high : i8
    %f = arith.uitofp %number : i8 to f32
    %q = arith.mulf %a, %f : f32
    %t = arith.addf %out, %q : f32
    linalg.yield %t : f32
  }
  return
}
