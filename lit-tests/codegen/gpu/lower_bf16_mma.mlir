// RUN: halo-opt %s --halo-lower-bf16-mma --split-input-file | FileCheck %s

// Pairs of bf16 become words; the sums are taken apart and put together.

// CHECK-LABEL: func.func @bf16
//  CHECK-SAME:   %[[A:.*]]: vector<4x2xbf16>, %[[B:.*]]: vector<2x2xbf16>, %[[C:.*]]: vector<2x2xf32>
//       CHECK:   %[[A0:.*]] = vector.extract %[[A]][0] : vector<2xbf16> from vector<4x2xbf16>
//       CHECK:   %[[W0:.*]] = llvm.bitcast %[[A0]] : vector<2xbf16> to i32
// CHECK-COUNT-5: llvm.bitcast %{{.*}} : vector<2xbf16> to i32
//       CHECK:   %[[C00:.*]] = vector.extract %[[C]][0, 0]
//       CHECK:   %[[R:.*]] = nvvm.mma.sync A[%[[W0]],
//  CHECK-SAME:     C[%[[C00]],
//  CHECK-SAME:     multiplicandAPtxType = #nvvm.mma_type<bf16>
//  CHECK-SAME:     shape = #nvvm.shape<m = 16, n = 8, k = 16>
//       CHECK:   %[[R0:.*]] = llvm.extractvalue %[[R]][0]
//       CHECK:   vector.insert %[[R0]], %{{.*}} [0, 0]
//       CHECK:   %[[R3:.*]] = llvm.extractvalue %[[R]][3]
//       CHECK:   %[[D:.*]] = vector.insert %[[R3]], %{{.*}} [1, 1]
//       CHECK:   return %[[D]]
func.func @bf16(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return %d : vector<2x2xf32>
}

// -----

// What upstream lowers is left to it.

// CHECK-LABEL: func.func @f16
//       CHECK:   nvgpu.mma.sync
//   CHECK-NOT:   nvvm.mma.sync
func.func @f16(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return %d : vector<2x2xf32>
}
