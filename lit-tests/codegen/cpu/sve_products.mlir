// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64:vector-bits=512 sve' --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s '--halo-lower-contractions=machine=aarch64:vector-bits=256 sve' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SHORT

// Rows of lhs are along k. Four numbers of each of six rows are in all units of a register, and
// multiply twelve vectors of rhs.

// CHECK-LABEL: func.func @rows
//       CHECK:   %{{.*}}:18 = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c4 {{.*}} -> (vector<[4]xf32>,
// CHECK-COUNT-6: "llvm.aarch64.sve.dupq.lane.nxv4f32"
// CHECK-COUNT-72: "llvm.aarch64.sve.fmla.lane.nxv4f32"
//       CHECK:   vector.scalable.extract %{{.*}}[0] : vector<16xf32> from vector<[4]xf32>
//   CHECK-NOT:   vector.fma

// On 256 bits, eight vectors of rhs are loaded first, and then the numbers of four rows at a time.

// SHORT-LABEL: func.func @rows
//       SHORT:   %{{.*}}:16 = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c4 {{.*}} -> (vector<[4]xf32>,
// SHORT-COUNT-8: vector.scalable.insert {{.*}} : vector<8xf32> into vector<[4]xf32>
// SHORT-COUNT-4: "llvm.aarch64.sve.dupq.lane.nxv4f32"
// SHORT-COUNT-32: "llvm.aarch64.sve.fmla.lane.nxv4f32"
// SHORT-COUNT-4: "llvm.aarch64.sve.dupq.lane.nxv4f32"
// SHORT-COUNT-32: "llvm.aarch64.sve.fmla.lane.nxv4f32"
//       SHORT:   scf.yield
func.func @rows(%a: memref<96x512xf32>, %b: memref<512x192xf32>, %c: memref<96x192xf32>) {
  linalg.matmul ins(%a, %b : memref<96x512xf32>, memref<512x192xf32>) outs(%c : memref<96x192xf32>)
  return
}

// -----

// A range of k has two numbers that are in no four: they are broadcast.

// CHECK-LABEL: func.func @odd
//       CHECK:   scf.for %[[K:.*]] = %{{.*}} step %c4 {{.*}} -> (vector<[4]xf32>,
//       CHECK:   vector.load %{{.*}}[%{{.*}}, %c0, %[[K]]] : memref<{{[0-9]+}}x6x102xf32>, vector<4xf32>
//       CHECK:   "llvm.aarch64.sve.fmla.lane.nxv4f32"
//       CHECK:   scf.for %{{.*}} step %c1 {{.*}} -> (vector<16xf32>,
//       CHECK:   vector.fma
func.func @odd(%a: memref<96x102xf32>, %b: memref<102x192xf32>, %c: memref<96x192xf32>) {
  linalg.matmul ins(%a, %b : memref<96x102xf32>, memref<102x192xf32>) outs(%c : memref<96x192xf32>)
  return
}

// -----

// Columns of lhs lie side by side: a unit has four rows of one k, of f64 two.

// CHECK-LABEL: func.func @columns
//       CHECK:   %{{.*}}:24 = scf.for %{{.*}} step %c1 {{.*}} -> (vector<[2]xf64>,
// CHECK-COUNT-4: "llvm.aarch64.sve.dupq.lane.nxv2f64"
// CHECK-COUNT-24: "llvm.aarch64.sve.fmla.lane.nxv2f64"
//       CHECK:   scf.yield
func.func @columns(%a: memref<512x96xf64>, %b: memref<512x192xf64>, %c: memref<96x192xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<512x96xf64>, memref<512x192xf64>) outs(%c : memref<96x192xf64>) {
  ^bb0(%x: f64, %y: f64, %sum: f64):
    %0 = arith.mulf %x, %y : f64
    %1 = arith.addf %sum, %0 : f64
    linalg.yield %1 : f64
  }
  return
}
