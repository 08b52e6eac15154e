// RUN: halo-opt %s --halo-lower-contractions=integer-products=vpdpbusd --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,MIXED
// RUN: halo-opt %s --halo-lower-contractions=integer-products=vpdpbssd --canonicalize --cse --split-input-file | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: halo-opt %s '--halo-lower-contractions=integer-products=sdot machine=aarch64' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=ARM
// RUN: halo-opt %s --halo-lower-contractions=integer-products=sve-dot --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SVE

// Fours of k lie in integers. The instruction for numbers of different signs takes lhs
// without one, and the row behind those of rhs says what that adds: four sums of each column
// are made side by side. Where the number of groups allows it, four iterations become one later.

// CHECK-LABEL: func.func @signed
//       MIXED:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<16x17x32xi32>
//         ALL:   memref.alloc() {{.*}} : memref<16x16x32xi32>
//       CHECK:     vector.shuffle {{.*}} [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15] : vector<8xi32>
//       CHECK:     vector.shuffle {{.*}} [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 16, {{.*}}] : vector<64xi8>
//       MIXED:     %[[SUMS:.*]]:8 = scf.for %{{.*}} = %c0 to %c16 step %c4
// MIXED-COUNT-8:       llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %cst{{.*}}, %{{.*}})
//       MIXED:     %[[TWO:.*]] = arith.addi %[[SUMS]]#0, %[[SUMS]]#2
//       MIXED:     %[[THREE:.*]] = arith.addi %[[TWO]], %[[SUMS]]#4
//       MIXED:     %[[SUM:.*]] = arith.addi %[[THREE]], %[[SUMS]]#6
//       MIXED:     %[[LESS:.*]] = arith.subi %{{.*}}, %[[SUM]] : vector<16xi32>
//       MIXED:     vector.store %[[LESS]], %[[BP]][%{{.*}}, %c16, %{{.*}}]
//       CHECK:   } {halo.packing}
//       MIXED:     arith.xori {{.*}} : vector<64xi8>
//     ALL-NOT:     arith.xori
//       MIXED:     %[[FIRST:.*]] = vector.load %[[BP]][%{{.*}}, %c16, %c0]
//       MIXED:     scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args(%{{.*}} = %[[FIRST]]
// MIXED-COUNT-16:  llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"({{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// ALL-COUNT-16:    llvm.call_intrinsic "llvm.x86.avx10.vpdpbssd.512"
//       CHECK:     } {halo.unroll = 4 : index}

// ARM-LABEL: func.func @signed
//       ARM:   llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"

// SVE-LABEL: func.func @signed
//       SVE:   %[[SUMS:.*]] = vector.scalable.insert %{{.*}}, %{{.*}}[0] : vector<16xi32> into vector<[4]xi32>
//  SVE-NEXT:   %[[LHS:.*]] = vector.scalable.insert %{{.*}}, %{{.*}}[0] : vector<64xi8> into vector<[16]xi8>
//  SVE-NEXT:   %[[RHS:.*]] = vector.scalable.insert %{{.*}}, %{{.*}}[0] : vector<64xi8> into vector<[16]xi8>
//  SVE-NEXT:   %[[ADDED:.*]] = llvm.call_intrinsic "llvm.aarch64.sve.sdot.nxv4i32"(%[[SUMS]], %[[LHS]], %[[RHS]])
//  SVE-NEXT:   vector.scalable.extract %[[ADDED]][0] : vector<16xi32> from vector<[4]xi32>
func.func @signed(%a: memref<256x64xi8>, %b: memref<64x512xi8>, %c: memref<256x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x64xi8>, memref<64x512xi8>) outs(%c : memref<256x512xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

// Numbers of different signs are multiplied as they are, rhs first where it has none. On
// ARM64 it is these whose sign is changed.

// CHECK-LABEL: func.func @mixed
//   CHECK-NOT:   arith.xori
//       CHECK:   scf.for {{.*}} iter_args
//       CHECK:     %[[RHS:.*]] = vector.load {{.*}} vector<16xi32>
//       CHECK:     %[[BYTES:.*]] = vector.bitcast %[[RHS]]
//       CHECK:     "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[BYTES]], %{{.*}})

// ARM-LABEL: func.func @mixed
//       ARM:   arith.xori
//       ARM:   "llvm.aarch64.neon.udot.v4i32.v16i8"

// SVE-LABEL: func.func @mixed
//       SVE:   arith.xori
//       SVE:   "llvm.aarch64.sve.udot.nxv4i32"
func.func @mixed(%a: memref<256x64xi8>, %b: memref<64x512xi8>, %c: memref<256x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x64xi8>, memref<64x512xi8>) outs(%c : memref<256x512xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

// Two numbers are left over by fours: the last group of rhs has them and zeros. Rows of lhs begin
// anywhere in memory, so that they are copied byte by byte, by vectors of which the last has some
// again, and have zeros behind them.

// CHECK-LABEL: func.func @last_group
//       MIXED:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<16x18x32xi32>
//         ALL:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<16x17x32xi32>
//       CHECK:   scf.for %{{.*}} = %c0 to %c64 step %c4
//       CHECK:   scf.for %{{.*}} = %c0 to %c32 step %c1
//       CHECK:     memref.load %{{.*}}[%c64, %{{.*}}] : memref<66x512xi8>
//       CHECK:     memref.load %{{.*}}[%c65, %{{.*}}] : memref<66x512xi8>
//   CHECK-NOT:     memref.load
//       CHECK:     memref.store %{{.*}}, %[[BP]][%{{.*}}, %c16, %{{.*}}]
//       CHECK:   %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x8x132xi8>
//       CHECK:     vector.load %{{.*}}[%{{.*}}, %c0] : memref<256x66xi8>, vector<64xi8>
//       CHECK:     vector.load %{{.*}}[%{{.*}}, %c2] : memref<256x66xi8>, vector<64xi8>
//       MIXED:     memref.store %c-128_i8, %[[AP]][%c0, %{{.*}}, %c66]
//       MIXED:     memref.store %c-128_i8, %[[AP]][%c0, %{{.*}}, %c67]
//         ALL:     memref.store %c0_i8, %[[AP]][%c0, %{{.*}}, %c66]
//         ALL:     memref.store %c0_i8, %[[AP]][%c0, %{{.*}}, %c67]
//       CHECK:   scf.for %{{.*}} = %c0 to %c17 step %c1 iter_args
//       CHECK:     vector.load %[[AP]][%c0, %c0, %{{.*}}] : memref<1x8x132xi8>, vector<4xi8>
//       MIXED:     "llvm.x86.avx512.vpdpbusd.512"
//         ALL:     "llvm.x86.avx10.vpdpbssd.512"

// ARM-LABEL: func.func @last_group
//       ARM:   "llvm.aarch64.neon.sdot.v4i32.v16i8"

// SVE-LABEL: func.func @last_group
//       SVE:   "llvm.aarch64.sve.sdot.nxv4i32"
func.func @last_group(%a: memref<256x66xi8>, %b: memref<66x512xi8>, %c: memref<256x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x66xi8>, memref<66x512xi8>) outs(%c : memref<256x512xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
