// RUN: halo-opt %s --halo-fuse-contraction-chains="fewest-bytes=1 most-rows=32 fewest-tiles=1 tile-bytes=1024 fewest-columns=8" | FileCheck %s --check-prefix=BLOCKS
// RUN: halo-opt %s --halo-fuse-contraction-chains="registers=true fewest-tiles=16" | FileCheck %s --check-prefix=REGISTERS

#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs = affine_map<(b, m, n, k) -> (b, n, k)>
#rhs_rows = affine_map<(b, m, n, k) -> (b, k, n)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>

// For GPUs, tiles of 16 rows, so that there are more blocks; all 20 columns are one block.
//
// REGISTERS-LABEL: func.func @blocks
// REGISTERS: scf.forall (%{{.*}}) in (16)
// REGISTERS-NOT: scf.for
// REGISTERS: linalg.generic {{.*}} ins(%{{.*}} : tensor<16x8xf32>, tensor<8x20xf32>) outs(%{{.*}} : tensor<16x20xf32>)
// REGISTERS: return

// and the sums of the columns so far are carried; the sums are multiplied as the maximum grows,
// and the last product is divided by the sum of its row. Keys are read before they are transposed.
//
// BLOCKS-LABEL: func.func @blocks
// BLOCKS-SAME: %[[Q:.*]]: tensor<4x64x8xf32>, %[[K:.*]]: tensor<4x8x20xf32>, %[[V:.*]]: tensor<4x20x6xf32>
// BLOCKS: scf.forall (%{{.*}}) in (8)
// BLOCKS: scf.for %[[FIRST:.*]] = %c0 to %c16 step %c8 iter_args(%[[MAXIMUM:.*]] = %{{.*}}, %[[TOTAL:.*]] = %{{.*}}, %[[SUMS:.*]] = %{{.*}}) -> (tensor<32xf32>, tensor<32xf32>, tensor<32x6xf32>)
// BLOCKS: %[[KEYS:.*]] = tensor.extract_slice %[[K]][%{{.*}}, 0, %[[FIRST]]] [1, 8, 8]
// BLOCKS: %[[SCORES:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[KEYS]] : tensor<32x8xf32>, tensor<8x8xf32>)
// BLOCKS: %[[NEXT:.*]] = linalg.generic {{.*}} ins(%[[SCORES]] : tensor<32x8xf32>) outs(%[[MAXIMUM]] : tensor<32xf32>)
// BLOCKS: arith.maximumf
// BLOCKS: %[[FINITE:.*]] = linalg.generic {{.*}} ins(%[[NEXT]]
// BLOCKS: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// BLOCKS: arith.select
// BLOCKS: %[[FACTOR:.*]] = linalg.generic {{.*}} ins(%[[MAXIMUM]], %[[FINITE]]
// BLOCKS: arith.subf
// BLOCKS: math.exp
// BLOCKS: %[[WEIGHTS:.*]] = linalg.generic {{.*}} ins(%[[SCORES]], %[[FINITE]]
// BLOCKS: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[FACTOR]] : tensor<32xf32>) outs(%[[TOTAL]] : tensor<32xf32>)
// BLOCKS: linalg.generic {{.*}} ins(%[[WEIGHTS]] : tensor<32x8xf32>) outs(%[[SCALED]] : tensor<32xf32>)
// BLOCKS: %[[SCALED_SUMS:.*]] = linalg.generic {{.*}} ins(%[[FACTOR]] : tensor<32xf32>) outs(%[[SUMS]] : tensor<32x6xf32>)
// BLOCKS: %[[VALUES:.*]] = tensor.extract_slice %[[V]][%{{.*}}, %[[FIRST]], 0] [1, 8, 6]
// BLOCKS: linalg.generic {{.*}} ins(%[[WEIGHTS]], %[[VALUES]] {{.*}} outs(%[[SCALED_SUMS]] : tensor<32x6xf32>)
// BLOCKS: scf.yield
// BLOCKS: tensor.extract_slice %[[K]][%{{.*}}, 0, 16] [1, 8, 4]
// BLOCKS: arith.divf
// BLOCKS: tensor.parallel_insert_slice
func.func @blocks(%q: tensor<4x64x8xf32>, %k: tensor<4x8x20xf32>, %v: tensor<4x20x6xf32>) -> tensor<4x64x6xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<4x64x20xf32>
  %e1 = tensor.empty() : tensor<4x64xf32>
  %e2 = tensor.empty() : tensor<4x64x6xf32>
  %e3 = tensor.empty() : tensor<4x20x8xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b, n, k) -> (b, k, n)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k : tensor<4x8x20xf32>) outs(%e3 : tensor<4x20x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<4x20x8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x64x20xf32>) -> tensor<4x64x20xf32>
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %t : tensor<4x64x8xf32>, tensor<4x20x8xf32>) outs(%0 : tensor<4x64x20xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<4x64x20xf32>
  %2 = linalg.fill ins(%low : f32) outs(%e1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %3 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<4x64x20xf32>) outs(%2 : tensor<4x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.maximumf %out, %x : f32
    linalg.yield %9 : f32
  } -> tensor<4x64xf32>
  %4 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<4x64x20xf32>, tensor<4x64xf32>) outs(%e0 : tensor<4x64x20xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.subf %x, %y : f32
    %10 = math.exp %9 : f32
    linalg.yield %10 : f32
  } -> tensor<4x64x20xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %6 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<4x64x20xf32>) outs(%5 : tensor<4x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.addf %out, %x : f32
    linalg.yield %9 : f32
  } -> tensor<4x64xf32>
  %7 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %6 : tensor<4x64x20xf32>, tensor<4x64xf32>) outs(%e0 : tensor<4x64x20xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.divf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<4x64x20xf32>
  %8 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x64x6xf32>) -> tensor<4x64x6xf32>
  %11 = linalg.generic {indexing_maps = [#lhs, #rhs_rows, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%7, %v : tensor<4x64x20xf32>, tensor<4x20x6xf32>) outs(%8 : tensor<4x64x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<4x64x6xf32>
  return %11 : tensor<4x64x6xf32>
}
