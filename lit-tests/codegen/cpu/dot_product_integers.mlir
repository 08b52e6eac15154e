// RUN: halo-opt %s '--halo-lower-contractions=machine=x86-64-v3 integer-products=pmaddwd' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s '--halo-lower-contractions=machine=x86-64-v3' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=NONE

// Pairs of k are integers of 16 bits, extended when they are packed; there are no exponents.

// CHECK-LABEL: func.func @bytes
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<{{[0-9]+}}x32x{{[0-9]+}}xi32>
//       CHECK:     %[[NUMBERS:.*]] = vector.load {{.*}} vector<8xi8>
//       CHECK:     arith.extsi %[[NUMBERS]] : vector<8xi8> to vector<8xi16>
//       CHECK:     arith.ori {{.*}} : vector<8xi32>
//       CHECK:     vector.store %{{.*}}, %[[BP]]
//       CHECK:   } {halo.packing}
//       CHECK:   vector.load {{.*}} vector<16xi8>
//       CHECK:   arith.extui {{.*}} : vector<16xi8> to vector<16xi16>
//       CHECK:   vector.bitcast {{.*}} : vector<16xi16> to vector<8xi32>
//   CHECK-NOT:   minui
//       CHECK:   %[[PRODUCTS:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"({{.*}}) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
//       CHECK:   arith.addi %{{.*}}, %[[PRODUCTS]] : vector<8xi32>

// NONE-LABEL: func.func @bytes
//   NONE-NOT:   pmadd
//       NONE:   arith.muli {{.*}} : vector<8xi32>
func.func @bytes(%a: memref<256x64xi8>, %b: memref<64x512xi8>, %c: memref<256x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x64xi8>, memref<64x512xi8>) outs(%c : memref<256x512xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// -----

// The last pair of an odd k has a zero.

// CHECK-LABEL: func.func @odd
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<32x33x16xi32>
//       CHECK:     scf.for %{{.*}} = %c0 to %c64 step %c2
//       CHECK:     %[[LAST:.*]] = memref.load %{{.*}}[%c64, %{{.*}}] : memref<65x512xi8>
//  CHECK-NEXT:     %[[WORD:.*]] = arith.extsi %[[LAST]] : i8 to i16
//  CHECK-NEXT:     %[[PAIR:.*]] = arith.extui %[[WORD]] : i16 to i32
//  CHECK-NEXT:     memref.store %[[PAIR]], %[[BP]][%{{.*}}, %c32, %{{.*}}]
//       CHECK:   %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x6x98xi16>
//       CHECK:     memref.store %c0_i16, %[[AP]][%c0, %{{.*}}, %c65]
//       CHECK:   "llvm.x86.avx2.pmadd.wd"
func.func @odd(%a: memref<256x65xi8>, %b: memref<65x512xi8>, %c: memref<256x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x65xi8>, memref<65x512xi8>) outs(%c : memref<256x512xi32>) {
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

// Unsigned numbers of 16 bits are no signed ones.

// CHECK-LABEL: func.func @unsigned
// CHECK-NOT: pmadd
func.func @unsigned(%a: memref<256x64xi16>, %b: memref<64x512xi16>, %c: memref<256x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x64xi16>, memref<64x512xi16>) outs(%c : memref<256x512xi32>) {
  ^bb0(%x: i16, %y: i16, %sum: i32):
    %0 = arith.extui %x : i16 to i32
    %1 = arith.extui %y : i16 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
