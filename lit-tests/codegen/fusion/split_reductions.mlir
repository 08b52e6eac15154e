// RUN: halo-opt %s --split-input-file --halo-split-reductions | FileCheck %s
// RUN: halo-opt %s --split-input-file --halo-split-reductions=lanes=1 | FileCheck %s --check-prefix=SCALAR

#matrix = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Blocks of 250 rows, whose 4 sums are added to the initial value.
// CHECK-DAG: #[[$BLOCKS:.*]] = affine_map<(d0, d1, d2) -> (d0 * 250 + d1, d2)>
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: %[[X:.*]]: tensor<1000x3xf32>, %[[INIT:.*]]: tensor<3xf32>
// CHECK: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[START:.*]] = linalg.fill ins(%[[NEUTRAL]] : f32) {{.*}} -> tensor<4x3xf32>
// CHECK: %[[PARTIAL:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-SAME: ins(%[[X]], %{{.*}} : tensor<1000x3xf32>, tensor<250xi8>) outs(%[[START]] : tensor<4x3xf32>)
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "parallel"]
// CHECK-SAME: ins(%[[PARTIAL]] : tensor<4x3xf32>) outs(%[[INIT]] : tensor<3xf32>)
// CHECK: return %[[SUM]]
func.func @columns(%x: tensor<1000x3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : tensor<1000x3xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%element: f32, %sum: f32):
    %1 = arith.addf %sum, %element : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// A prime number of rows: the last 241 are added first. Indices count from the block.
// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0, d1) -> (d0 + 768, d1)>
// CHECK-DAG: #[[$BLOCKS:.*]] = affine_map<(d0, d1, d2) -> (d0 * 256 + d1, d2)>
// CHECK-LABEL: func.func @prime(
// CHECK: %[[REST:.*]] = linalg.generic {indexing_maps = [#[[$REST]],
// CHECK-SAME: tensor<241xi8>) outs(%{{.*}} : tensor<3xf32>)
// CHECK: %[[PARTIAL:.*]] = linalg.generic {indexing_maps = [#[[$BLOCKS]],
// CHECK-SAME: tensor<256xi8>) outs(%{{.*}} : tensor<3x3xf32>)
// CHECK-DAG: %[[K:.*]] = linalg.index 0
// CHECK-DAG: %[[I:.*]] = linalg.index 1
// CHECK: %[[LOWER:.*]] = arith.muli %[[K]], %{{.*}}
// CHECK: arith.addi %[[LOWER]], %[[I]]
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[PARTIAL]] : tensor<3x3xf32>) outs(%[[REST]] : tensor<3xf32>)
func.func @prime(%x: tensor<1009x3xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : tensor<1009x3xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%element: f32, %sum: f32):
    %row = linalg.index 0 : index
    %number = arith.index_cast %row : index to i32
    %weight = arith.sitofp %number : i32 to f32
    %product = arith.mulf %element, %weight : f32
    %1 = arith.addf %sum, %product : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

// All columns and some rows of an image are a block, images are others. Both results of the op,
// a sum and a maximum, are split.
// CHECK-DAG: #[[$BLOCKS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 * 4 + d2, d3, d4)>
// CHECK-LABEL: func.func @statistics(
// CHECK: %[[PARTIAL:.*]]:2 = linalg.generic {indexing_maps = [#[[$BLOCKS]],
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<32x14x64xf32>, tensor<32x14x64xf32>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction", "parallel"]
// CHECK-SAME: ins(%[[PARTIAL]]#0, %[[PARTIAL]]#1 :
// CHECK: arith.addf
// CHECK: arith.maximumf
func.func @statistics(%x: tensor<32x56x56x64xf32>, %zero: tensor<64xf32>, %least: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#image, #channel, #channel], iterator_types = ["reduction", "reduction", "reduction", "parallel"]}
    ins(%x : tensor<32x56x56x64xf32>) outs(%zero, %least : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%element: f32, %sum: f32, %largest: f32):
    %1 = arith.addf %sum, %element : f32
    %2 = arith.maximumf %largest, %element : f32
    linalg.yield %1, %2 : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %0#0, %0#1 : tensor<64xf32>, tensor<64xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Vectors have so many partial sums that rows of 8192 elements need no blocks; without vectors
// they do.
// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// SCALAR-LABEL: func.func @rows(
// SCALAR-COUNT-2: linalg.generic
func.func @rows(%x: tensor<64x8192xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [#matrix, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : tensor<64x8192xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%element: f32, %sum: f32):
    %1 = arith.addf %sum, %element : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// A product of matrices is divided where vectors are made.
// CHECK-LABEL: func.func @product(
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// SCALAR-LABEL: func.func @product(
// SCALAR-COUNT-2: linalg.generic
func.func @product(%a: tensor<4x1024xf32>, %b: tensor<1024x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x1024xf32>, tensor<1024x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// Integers are exact in any order; a difference depends on it.
// CHECK-LABEL: func.func @kept(
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @kept(%x: tensor<1000x3xi32>, %y: tensor<1000x3xf32>, %a: tensor<3xi32>, %b: tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>) {
  %0 = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["reduction", "parallel"]}
    ins(%x : tensor<1000x3xi32>) outs(%a : tensor<3xi32>) {
  ^bb0(%element: i32, %sum: i32):
    %2 = arith.addi %sum, %element : i32
    linalg.yield %2 : i32
  } -> tensor<3xi32>
  %1 = linalg.generic {indexing_maps = [#matrix, #column], iterator_types = ["reduction", "parallel"]}
    ins(%y : tensor<1000x3xf32>) outs(%b : tensor<3xf32>) {
  ^bb0(%element: f32, %sum: f32):
    %2 = arith.subf %element, %sum : f32
    linalg.yield %2 : f32
  } -> tensor<3xf32>
  return %0, %1 : tensor<3xi32>, tensor<3xf32>
}

// -----

#all = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

// A maximum is exact in any order, and is split for the threads.
// CHECK-LABEL: func.func @maximum(
// CHECK: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: linalg.fill ins(%[[LEAST]] : f32) {{.*}} -> tensor<64xf32>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction"]
func.func @maximum(%x: tensor<1048576xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]}
    ins(%x : tensor<1048576xf32>) outs(%init : tensor<f32>) {
  ^bb0(%element: f32, %largest: f32):
    %1 = arith.maximumf %largest, %element : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
