// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64 outer-products=sme' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64 outer-products=sme streaming-bits=256' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SHORT
// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: not halo-opt %s '--halo-lower-contractions=outer-products=sme streaming-bits=384' --split-input-file 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: halo-opt %s --halo-lower-contractions=outer-products=sme-f64f64 --split-input-file | FileCheck %s --check-prefix=F64

// NONE-NOT: sme
// F64-LABEL: func.func @f64
// F64: "llvm.aarch64.sme.mopa.nxv2f64"
// LENGTH: error: streaming-bits must be a power of two from 128 to 2048

// Panels of both operands have 32 numbers of each k, packed in registers of NEON. The tiles of a
// panel of lhs are in one region: a loop over those with 32 columns, and one with 20, of which a
// vector has four. What the result has is added at the end.

// CHECK-LABEL: func.func @f32
//       CHECK:   %[[BP:.*]] = memref.alloc() {{.*}} : memref<16x64x32xf32>
//       CHECK:   vector.load %arg1{{.*}}, vector<4xf32>
//       CHECK:   scf.parallel (%[[ROW:.*]]) =
//       CHECK:     %[[AP:.*]] = memref.alloc() {{.*}} : memref<1x64x32xf32>
//       CHECK:     vector.shuffle {{.*}} : vector<4xf32>, vector<4xf32>
//       CHECK:     scf.execute_region no_inline {
//  CHECK-NEXT:       llvm.inline_asm has_side_effects "mrs x9, TPIDR2_EL0{{.*}}smstart za"
//       CHECK:       scf.for %[[J:.*]] = %c0 to %c15 step %c1
//       CHECK:         llvm.call_intrinsic "llvm.aarch64.sme.zero"(%c255_i32)
//       CHECK:         scf.for %[[K:.*]] = %c0 to %c64 step %c1 {
//   CHECK-DAG:           vector.load %[[AP]][%{{.*}}, %[[K]], %c0] : memref<1x64x32xf32>, vector<16xf32>
//   CHECK-DAG:           vector.load %[[AP]][%{{.*}}, %[[K]], %c16]
//   CHECK-DAG:           vector.load %[[BP]][%[[J]], %[[K]], %c0]
//   CHECK-DAG:           vector.load %[[BP]][%[[J]], %[[K]], %c16]
//       CHECK:           "llvm.aarch64.sme.mopa.nxv4f32"(%c0_i32, %[[ALL:.*]], %[[ALL]], %[[A0:.*]], %[[B0:.*]]) :
//       CHECK:           "llvm.aarch64.sme.mopa.nxv4f32"(%c1_i32, %[[ALL]], %[[ALL]], %[[A0]], %[[B1:.*]]) :
//       CHECK:           "llvm.aarch64.sme.mopa.nxv4f32"(%c2_i32, %[[ALL]], %[[ALL]], %[[A1:.*]], %[[B0]]) :
//       CHECK:           "llvm.aarch64.sme.mopa.nxv4f32"(%c3_i32, %[[ALL]], %[[ALL]], %[[A1]], %[[B1]]) :
//  CHECK-NEXT:         }
//       CHECK:         scf.for %[[N:.*]] = %c0 to %c16 step %c1 {
//       CHECK:           %[[SLICE:.*]] = arith.index_cast %[[N]] : index to i32
//       CHECK:           "llvm.aarch64.sme.read.horiz.nxv4f32"(%{{.*}}, %[[ALL]], %c0_i32, %[[SLICE]])
//       CHECK:           "llvm.aarch64.sme.read.horiz.nxv4f32"(%{{.*}}, %[[ALL]], %c1_i32, %[[SLICE]])
//       CHECK:           arith.addf {{.*}} : vector<16xf32>
//       CHECK:           vector.store {{.*}}, %arg2
//       CHECK:         "llvm.aarch64.sme.read.horiz.nxv4f32"(%{{.*}}, %[[ALL]], %c2_i32,
//       CHECK:       vector.load %[[BP]][%c15,
//       CHECK:       vector.constant_mask [4] : vector<16xi1>
//       CHECK:       vector.maskedstore %arg2
//       CHECK:       llvm.inline_asm has_side_effects "smstop za"
//  CHECK-NEXT:       scf.yield
//  CHECK-NEXT:     } {arm_locally_streaming}
//   CHECK-NOT:   fma

// SHORT-LABEL: func.func @f32
//       SHORT:   memref<32x64x16xf32>
//       SHORT:   vector.scalable.insert {{.*}} : vector<8xf32> into vector<[4]xf32>
func.func @f32(%a: memref<256x64xf32>, %b: memref<64x500xf32>, %c: memref<256x500xf32>) {
  linalg.matmul ins(%a, %b : memref<256x64xf32>, memref<64x500xf32>) outs(%c : memref<256x500xf32>)
  return
}

// -----

// Pairs of bf16 are multiplied by one instruction if no sum is subnormal, and by two in f32 else.

// CHECK-LABEL: func.func @bf16
//       CHECK:   memref.alloc() {{.*}} : memref<16x33x32xi32>
//       CHECK:   scf.execute_region
//       CHECK:     %[[NORMAL:.*]] = arith.cmpi sge, %{{.*}}, %c142_i32
//       CHECK:     scf.if %[[NORMAL]] {
//       CHECK:       scf.for %{{.*}} = %c0 to %c32 step %c1 {
// CHECK-COUNT-4:       "llvm.aarch64.sme.mopa.wide.nxv8bf16"
//       CHECK:     } else {
//       CHECK:       arith.shrui
// CHECK-COUNT-8:       "llvm.aarch64.sme.mopa.nxv4f32"
//       CHECK:     }
//       CHECK:     "llvm.aarch64.sme.read.horiz.nxv4f32"
func.func @bf16(%a: memref<256x64xbf16>, %b: memref<64x512xbf16>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x64xbf16>, memref<64x512xbf16>) outs(%c : memref<256x512xf32>)
  return
}

// -----

// Those of f16 are never subnormal.

// CHECK-LABEL: func.func @f16
//       CHECK:   memref.alloc() {{.*}} : memref<16x32x32xi32>
//   CHECK-NOT:   arith.cmpi sge
// CHECK-COUNT-4: "llvm.aarch64.sme.mopa.wide.nxv8f16"
func.func @f16(%a: memref<256x64xf16>, %b: memref<64x512xf16>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x64xf16>, memref<64x512xf16>) outs(%c : memref<256x512xf32>)
  return
}

// -----

// A number that is in no pair makes all of them single ones, in f32.

// CHECK-LABEL: func.func @odd
//       CHECK:   memref.alloc() {{.*}} : memref<16x63x32xf32>
// CHECK-COUNT-4: "llvm.aarch64.sme.mopa.nxv4f32"
func.func @odd(%a: memref<256x63xf16>, %b: memref<63x512xf16>, %c: memref<256x512xf32>) {
  linalg.matmul ins(%a, %b : memref<256x63xf16>, memref<63x512xf16>) outs(%c : memref<256x512xf32>)
  return
}

// -----

// There are instructions for all signs of bytes. Few columns are in tiles of four times as many
// rows, of which the last has two.

// CHECK-LABEL: func.func @bytes
//       CHECK:   memref.alloc() {{.*}} : memref<4x32x64xi32>
// CHECK-COUNT-4: "llvm.aarch64.sme.usmopa.wide.nxv16i8"
//       CHECK:   %[[LEFT:.*]] = arith.subi %c242,
//       CHECK:   arith.minsi %[[LEFT]], %c16
//       CHECK:   "llvm.aarch64.sme.read.horiz.nxv4i32"
//       CHECK:   arith.addi {{.*}} : vector<16xi32>
func.func @bytes(%a: memref<242x128xi8>, %b: memref<128x16xi8>, %c: memref<242x16xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<242x128xi8>, memref<128x16xi8>) outs(%c : memref<242x16xi32>) {
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

// Few rows, such as those of a vector, are multiplied as they are read.

// CHECK-LABEL: func.func @few_rows
//   CHECK-NOT:   sme
func.func @few_rows(%a: memref<8x64xf32>, %b: memref<64x500xf32>, %c: memref<8x500xf32>) {
  linalg.matmul ins(%a, %b : memref<8x64xf32>, memref<64x500xf32>) outs(%c : memref<8x500xf32>)
  return
}

// -----

// Sums of f64 are in tiles if the processor has them.

// CHECK-LABEL: func.func @f64
//   CHECK-NOT:   sme
func.func @f64(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
  linalg.matmul ins(%a, %b : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>)
  return
}
