// RUN: halo-opt %s --halo-lower-contractions=integer-products=vpdpbusd --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s '--halo-lower-contractions=integer-products=amx bf16-products=amx' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=TILES
// RUN: halo-opt %s --halo-lower-contractions=integer-products=pmaddwd --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=PAIRS
// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64 integer-products=smmla' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=ARM
// RUN: halo-opt %s '--halo-lower-contractions=integer-products=sve-dot sve' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SVE
// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64 outer-products=sme' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SQUARES

// Fours of channels of an image are packed as they are, each row of the panel after the other.
// Bytes outside of the image are selected before their sign is changed.

// CHECK-LABEL: func.func @fours
//  CHECK-SAME:   %[[IMAGE:.*]]: memref<1x56x56x64xi8>
//   CHECK-NOT:   memref.copy
//       CHECK:   %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]] {{\[\[}}0, 1, 2, 3]] : memref<1x56x56x64xi8> into memref<200704xi8>
//       CHECK:   scf.parallel
//       CHECK:     %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x8x{{.*}}xi32>
//       CHECK:     scf.for %[[ROW:.*]] = %c0 to %c8 step %c1
//       CHECK:       scf.for %{{.*}} step %c64
//       CHECK:         %[[INSIDE:.*]] = arith.andi
//       CHECK:         %[[READ:.*]] = vector.load %[[FLAT]][%{{.*}}] : memref<200704xi8>, vector<64xi8>
//  CHECK-NEXT:         %[[BYTES:.*]] = arith.select %[[INSIDE]], %[[READ]]
//  CHECK-NEXT:         %[[FLIPPED:.*]] = arith.xori %[[BYTES]]
//  CHECK-NEXT:         %[[GROUPS:.*]] = vector.bitcast %[[FLIPPED]] : vector<64xi8> to vector<16xi32>
//       CHECK:         vector.store %[[GROUPS]], %[[PANEL]][%c0, %[[ROW]], %{{.*}}]
//       CHECK:     llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:   linalg
//       CHECK:   return

// TILES-LABEL: func.func @fours
//       TILES:   %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x32x{{.*}}xi32>
//       TILES:   scf.for %{{.*}} = %c0 to %c32 step %c1
//       TILES:     vector.bitcast %{{.*}} : vector<64xi8> to vector<16xi32>
//       TILES:   amx.tile_load %[[PANEL]]
//       TILES:   amx.tile_muli

// Tiles of SME have the fours of one place side by side: squares of four rows are transposed.

// SQUARES-LABEL: func.func @fours
//       SQUARES:   %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x{{.*}}x32xi32>
//       SQUARES:   scf.for %[[ROW:.*]] = %c0 to %c32 step %c4
//       SQUARES:     scf.for %{{.*}} step %c64
// SQUARES-COUNT-4:     arith.select %{{.*}} : vector<16xi8>
//       SQUARES:       vector.shuffle {{.*}} : vector<4xi32>, vector<4xi32>
// SQUARES-COUNT-4:     vector.store %{{.*}}, %[[PANEL]][%c0, %{{.*}}, %[[ROW]]] : memref<1x{{.*}}x32xi32>, vector<4xi32>
//       SQUARES:   "llvm.aarch64.sme.smopa.wide.nxv16i8"
func.func @fours(%image: memref<1x56x56x64xi8>, %filter: memref<576x64xi8>, %out: memref<3136x64xi32>) {
  %zero = arith.constant 0 : i8
  %none = arith.constant 0 : i32
  %padded = memref.alloc() : memref<1x58x58x64xi8>
  linalg.fill ins(%zero : i8) outs(%padded : memref<1x58x58x64xi8>)
  %patches = memref.alloc() : memref<1x56x56x3x3x64xi8>
  %inside = memref.subview %padded[0, 1, 1, 0] [1, 56, 56, 64] [1, 1, 1, 1] : memref<1x58x58x64xi8> to memref<1x56x56x64xi8, strided<[215296, 3712, 64, 1], offset: 3776>>
  memref.copy %image, %inside : memref<1x56x56x64xi8> to memref<1x56x56x64xi8, strided<[215296, 3712, 64, 1], offset: 3776>>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y + i, x + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<1x58x58x64xi8>) outs(%patches : memref<1x56x56x3x3x64xi8>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x56x56x3x3x64xi8> into memref<3136x576xi8>
  linalg.fill ins(%none : i32) outs(%out : memref<3136x64xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%lhs, %filter : memref<3136x576xi8>, memref<576x64xi8>) outs(%out : memref<3136x64xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %s = arith.addi %c, %p : i32
    linalg.yield %s : i32
  }
  return
}

// -----

// Two divides the 18 bytes of three pixels: pairs of what the bytes are extended to. The ninth is
// in a vector that has seven of the first again.

// PAIRS-LABEL: func.func @pairs
//       PAIRS:   %[[FIRST:.*]] = vector.load %{{.*}} : memref<1176xi8>, vector<16xi8>
//  PAIRS-NEXT:   %[[WORDS:.*]] = arith.extsi %[[FIRST]] : vector<16xi8> to vector<16xi16>
//  PAIRS-NEXT:   vector.bitcast %[[WORDS]] : vector<16xi16> to vector<8xi32>
//       PAIRS:   arith.addi %{{.*}}, %c2 : index
//  PAIRS-NEXT:   vector.load %{{.*}} : memref<1176xi8>, vector<16xi8>
//       PAIRS:   llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
func.func @pairs(%image: memref<1x14x14x6xi8>, %filter: memref<54x24xi8>, %out: memref<144x24xi32>) {
  %none = arith.constant 0 : i32
  %patches = memref.alloc() : memref<1x12x12x3x3x6xi8>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y + i, x + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x14x14x6xi8>) outs(%patches : memref<1x12x12x3x3x6xi8>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x12x12x3x3x6xi8> into memref<144x54xi8>
  linalg.fill ins(%none : i32) outs(%out : memref<144x24xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%lhs, %filter : memref<144x54xi8>, memref<54x24xi8>) outs(%out : memref<144x24xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %s = arith.addi %c, %p : i32
    linalg.yield %s : i32
  }
  return
}

// -----

// A line of the window is 21 bytes, so that fours begin in one line and end in the next: rows have
// bytes, of which the kernel loads four. A zero is behind the last line, and its sign is changed.

// CHECK-LABEL: func.func @lines
//       CHECK:   memref.alloc() {{.*}} : memref<2x38x32xi32>
//       CHECK:   scf.parallel
//       CHECK:     %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x8x212xi8>
//       CHECK:     scf.for %[[ROW:.*]] = %c0 to %c8 step %c1
//       CHECK:       %[[FIRST:.*]] = vector.load %{{.*}} : memref<2700xi8>, vector<16xi8>
//  CHECK-NEXT:       %[[FLIPPED:.*]] = arith.xori %[[FIRST]]
//  CHECK-NEXT:       vector.store %[[FLIPPED]], %[[PANEL]][%c0, %[[ROW]], %c0] : memref<1x8x212xi8>, vector<16xi8>
//       CHECK:       vector.store %{{.*}}, %[[PANEL]][%c0, %[[ROW]], %c5]
//       CHECK:       vector.store %{{.*}}, %[[PANEL]][%c0, %[[ROW]], %c21]
//       CHECK:       vector.store %{{.*}}, %[[PANEL]][%c0, %[[ROW]], %c131]
//       CHECK:       memref.store %c-128_i8, %[[PANEL]][%c0, %[[ROW]], %c147]
//       CHECK:     scf.for %{{.*}} = %c0 to %c37 step %c1 iter_args
//       CHECK:       %[[BYTES:.*]] = vector.load %[[PANEL]][%c0, %c0, %{{.*}}] : memref<1x8x212xi8>, vector<4xi8>
//  CHECK-NEXT:       %[[GROUP:.*]] = vector.bitcast %[[BYTES]] : vector<4xi8> to vector<1xi32>
//  CHECK-NEXT:       vector.extract %[[GROUP]][0]
//       CHECK:       llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
//   CHECK-NOT:   linalg
//       CHECK:   return

// PAIRS-LABEL: func.func @lines
//       PAIRS:   %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x8x180xi16>
//       PAIRS:     memref.store %c0_i16, %[[PANEL]][%c0, %{{.*}}, %c147]
//       PAIRS:     vector.load %[[PANEL]][{{.*}}] : memref<1x8x180xi16>, vector<2xi16>
//       PAIRS:     llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"

// ARM-LABEL: func.func @lines
//       ARM:   %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x{{[0-9]+}}x212xi8>
//       ARM:     vector.load %[[PANEL]]{{.*}}, vector<4xi8>
//       ARM:     llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"

// SVE-LABEL: func.func @lines
//       SVE:   %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<1x{{[0-9]+}}x212xi8>
//       SVE:     vector.load %[[PANEL]]{{.*}}, vector<4xi8>
//       SVE:     llvm.call_intrinsic "llvm.aarch64.sve.sdot.nxv4i32"

// Neither the tiles of AMX nor those of SME have such rows.

// TILES-LABEL: func.func @lines
//   TILES-NOT:   amx.tile
//       TILES:   llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"

// SQUARES-LABEL: func.func @lines
//   SQUARES-NOT:   smopa
func.func @lines(%image: memref<1x30x30x3xi8>, %filter: memref<147x64xi8>, %out: memref<144x64xi32>) {
  %none = arith.constant 0 : i32
  %patches = memref.alloc() : memref<1x12x12x7x7x3xi8>
  linalg.generic {
      indexing_maps = [affine_map<(b, y, x, i, j, c) -> (b, y * 2 + i, x * 2 + j, c)>, affine_map<(b, y, x, i, j, c) -> (b, y, x, i, j, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%image : memref<1x30x30x3xi8>) outs(%patches : memref<1x12x12x7x7x3xi8>) {
  ^bb0(%x: i8, %y: i8):
    linalg.yield %x : i8
  }
  %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<1x12x12x7x7x3xi8> into memref<144x147xi8>
  linalg.fill ins(%none : i32) outs(%out : memref<144x64xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%lhs, %filter : memref<144x147xi8>, memref<147x64xi8>) outs(%out : memref<144x64xi32>) {
  ^bb0(%a: i8, %b: i8, %c: i32):
    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %p = arith.muli %x, %y : i32
    %s = arith.addi %c, %p : i32
    linalg.yield %s : i32
  }
  return
}
