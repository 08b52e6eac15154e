// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64 bf16-products=bfmmla integer-products=smmla' --canonicalize --cse --split-input-file | FileCheck %s

// Four numbers of k lie in 64 bits, of rows and of columns side by side; 4 x 4 squares of sums
// become 8 rows of two vectors.

// CHECK-LABEL: func.func @bf16
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<64x17x8xi64>
//       CHECK:     vector.load {{.*}} vector<4xbf16>
// CHECK-COUNT-3:   arith.ori {{.*}} : vector<4xi64>
//       CHECK:     vector.store %{{.*}}, %[[BP]]
//       CHECK:     arith.minui {{.*}} : vector<32xi16>
//       CHECK:     %[[LEAST:.*]] = arith.extsi {{.*}} : i32 to i64
//       CHECK:     memref.store %[[LEAST]], %[[BP]][%{{.*}}, %c16, %c0]
//       CHECK:   } {halo.packing}
//       CHECK:   %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x17x8xi64>
//       CHECK:   arith.cmpi sge, %{{.*}}, %c142_i64
//       CHECK:   %[[ROWS:.*]]:16 = scf.if
//       CHECK:     %[[SQUARES:.*]]:16 = scf.for %[[K:.*]] = %c0 to %c16
//       CHECK:       vector.load %[[BP]][%{{.*}}, %[[K]], %c0] : memref<64x17x8xi64>, vector<2xi64>
//       CHECK:       vector.load %[[AP]][%c0, %[[K]], %c6] : memref<1x17x8xi64>, vector<2xi64>
// CHECK-COUNT-16:    llvm.call_intrinsic "llvm.aarch64.neon.bfmmla"({{.*}}) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
//       CHECK:     vector.shuffle %[[SQUARES]]#0, %[[SQUARES]]#1 [0, 1, 4, 5]
//       CHECK:     vector.shuffle %[[SQUARES]]#2, %[[SQUARES]]#3 [0, 1, 4, 5]
//       CHECK:     vector.shuffle %[[SQUARES]]#0, %[[SQUARES]]#1 [2, 3, 6, 7]
//       CHECK:   } else {
// CHECK-COUNT-64:    vector.fma
//   CHECK-NOT:       vector.fma
func.func @bf16(%a: memref<256x64xbf16>, %b: memref<64x512xbf16>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x64xbf16>, memref<64x512xbf16>) outs(%c : memref<256x512xf32>)
  return
}

// -----

// CHECK-LABEL: func.func @bytes
//       CHECK:   memref.alloc() {{.*}} : memref<64x8x8xi64>
//   CHECK-NOT:   xori
// CHECK-COUNT-16:  llvm.call_intrinsic "llvm.aarch64.neon.usmmla.v4i32.v16i8"
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

// No instruction takes signs in this order, nor eights of 68.

// CHECK-LABEL: func.func @signed_by_unsigned
//       CHECK:   "llvm.aarch64.neon.udot.v4i32.v16i8"
func.func @signed_by_unsigned(%a: memref<256x64xi8>, %b: memref<64x512xi8>, %c: memref<256x512xi32>) {
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

// Eight does not divide k: zeros are behind the last four of both operands.

// CHECK-LABEL: func.func @last_group
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<{{[0-9]+}}x9x8xi64>
//       CHECK:     scf.for %{{.*}} = %c0 to %c64 step %c8
//       CHECK:     memref.store %{{.*}}, %[[BP]][%{{.*}}, %c8, %{{.*}}]
//       CHECK:   %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x9x8xi64>
//       CHECK:     memref.store %{{.*}}, %[[AP]][%c0, %c8, %{{.*}}]
//       CHECK:   "llvm.aarch64.neon.smmla.v4i32.v16i8"
func.func @last_group(%a: memref<256x68xi8>, %b: memref<68x512xi8>, %c: memref<256x512xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<256x68xi8>, memref<68x512xi8>) outs(%c : memref<256x512xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
