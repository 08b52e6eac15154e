// RUN: halo-opt %s --halo-fuse-contraction-operands --split-input-file | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#groups = affine_map<(g, i, n) -> (g, i, n)>
#scale = affine_map<(g, i, n) -> (g, n)>

// Weights of eight bits with scales of groups of 64 along k: reshapes become index maps.

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$S:.*]] = affine_map<(d0, d1, d2) -> (d2 floordiv 64, d1)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @groups
//  CHECK-SAME:   %[[ARG0:.*]]: tensor<4x256xf32>, %[[ARG1:.*]]: tensor<256x32xi8>, %[[ARG2:.*]]: tensor<4x32xf32>, %[[ARG3:.*]]: tensor<4x32xf32>
//   CHECK-NOT:   tensor.collapse_shape
//       CHECK:   %[[R:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$W]], #[[$S]], #[[$Y]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[ARG0]], %[[ARG1]], %[[ARG2]] : {{.*}}) outs(%[[ARG3]] : tensor<4x32xf32>)
//       CHECK:   ^bb0(%[[A:.*]]: f32, %[[B:.*]]: i8, %[[C:.*]]: f32, %[[OUT:.*]]: f32):
//       CHECK:     %[[F:.*]] = arith.sitofp %[[B]] : i8 to f32
//       CHECK:     %[[P:.*]] = arith.mulf %[[F]], %[[C]]
//       CHECK:     %[[Q:.*]] = arith.mulf %[[A]], %[[P]]
//       CHECK:     %[[T:.*]] = arith.addf %[[OUT]], %[[Q]]
//       CHECK:     linalg.yield %[[T]]
//       CHECK:   return %[[R]]
func.func @groups(%x: tensor<4x256xf32>, %w: tensor<256x32xi8>, %s: tensor<4x32xf32>, %y: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %e = tensor.empty() : tensor<4x64x32xf32>
  %g = tensor.expand_shape %w [[0, 1], [2]] output_shape [4, 64, 32] : tensor<256x32xi8> into tensor<4x64x32xi8>
  %0 = linalg.generic {indexing_maps = [#groups, #scale, #groups], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g, %s : tensor<4x64x32xi8>, tensor<4x32xf32>) outs(%e : tensor<4x64x32xf32>) {
  ^bb0(%a: i8, %b: f32, %out: f32):
    %f = arith.sitofp %a : i8 to f32
    %p = arith.mulf %f, %b : f32
    linalg.yield %p : f32
  } -> tensor<4x64x32xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<4x64x32xf32> into tensor<256x32xf32>
  %2 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %1 : tensor<4x256xf32>, tensor<256x32xf32>) outs(%y : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  return %2 : tensor<4x32xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// Two numbers in each byte, for adjacent k: a concatenation selects by an index.

// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2) -> (d2 floordiv 2, d1)>
// CHECK-LABEL: func.func @nibbles
//   CHECK-NOT:   tensor.insert_slice
//       CHECK:   linalg.generic {indexing_maps = [{{[^,]*}}, #[[$W]], {{[^,]*}}]{{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x256xf32>, tensor<128x32xi8>)
//       CHECK:   ^bb0(%{{.*}}: f32, %[[B:.*]]: i8, %{{.*}}: f32):
//   CHECK-DAG:     %[[K:.*]] = linalg.index 2
//   CHECK-DAG:     %[[PART:.*]] = arith.remui %[[K]], %c2
//   CHECK-DAG:     %[[LOW:.*]] = arith.andi %[[B]]
//   CHECK-DAG:     %[[HIGH:.*]] = arith.shrui %[[B]]
//   CHECK-DAG:     %[[FIRST:.*]] = arith.cmpi ult, %[[PART]], %c1
//       CHECK:     %[[N:.*]] = arith.select %[[FIRST]], %[[LOW]], %[[HIGH]]
//       CHECK:     arith.uitofp %[[N]]
func.func @nibbles(%x: tensor<4x256xf32>, %w: tensor<128x32xi8>, %y: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %c4 = arith.constant 4 : i8
  %c15 = arith.constant 15 : i8
  %e = tensor.empty() : tensor<128x32xi8>
  %low = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<128x32xi8>) outs(%e : tensor<128x32xi8>) {
  ^bb0(%a: i8, %out: i8):
    %p = arith.andi %a, %c15 : i8
    linalg.yield %p : i8
  } -> tensor<128x32xi8>
  %high = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<128x32xi8>) outs(%e : tensor<128x32xi8>) {
  ^bb0(%a: i8, %out: i8):
    %p = arith.shrui %a, %c4 : i8
    linalg.yield %p : i8
  } -> tensor<128x32xi8>
  %l = tensor.expand_shape %low [[0], [1, 2]] output_shape [128, 1, 32] : tensor<128x32xi8> into tensor<128x1x32xi8>
  %h = tensor.expand_shape %high [[0], [1, 2]] output_shape [128, 1, 32] : tensor<128x32xi8> into tensor<128x1x32xi8>
  %pairs = tensor.empty() : tensor<128x2x32xi8>
  %0 = tensor.insert_slice %l into %pairs[0, 0, 0] [128, 1, 32] [1, 1, 1] : tensor<128x1x32xi8> into tensor<128x2x32xi8>
  %1 = tensor.insert_slice %h into %0[0, 1, 0] [128, 1, 32] [1, 1, 1] : tensor<128x1x32xi8> into tensor<128x2x32xi8>
  %2 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<128x2x32xi8> into tensor<256x32xi8>
  %f = tensor.empty() : tensor<256x32xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<256x32xi8>) outs(%f : tensor<256x32xf32>) {
  ^bb0(%a: i8, %out: f32):
    %p = arith.uitofp %a : i8 to f32
    linalg.yield %p : f32
  } -> tensor<256x32xf32>
  %4 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %3 : tensor<4x256xf32>, tensor<256x32xf32>) outs(%y : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  return %4 : tensor<4x32xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// Elements of the same width, and expensive arithmetic, are computed before the contraction.

// CHECK-LABEL: func.func @not_narrower
//       CHECK:   arith.addf
//       CHECK:   linalg.yield
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x256xf32>, tensor<256x32xf32>)
//       CHECK:   math.exp
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x256xf32>, tensor<256x32xf32>)
func.func @not_narrower(%x: tensor<4x256xf32>, %v: tensor<256x32xf32>, %w: tensor<256x32xi8>, %y: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<256x32xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<256x32xf32>) outs(%e : tensor<256x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.addf %a, %one : f32
    linalg.yield %p : f32
  } -> tensor<256x32xf32>
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %0 : tensor<4x256xf32>, tensor<256x32xf32>) outs(%y : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<256x32xi8>) outs(%e : tensor<256x32xf32>) {
  ^bb0(%a: i8, %out: f32):
    %f = arith.sitofp %a : i8 to f32
    %p = math.exp %f : f32
    linalg.yield %p : f32
  } -> tensor<256x32xf32>
  %3 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %2 : tensor<4x256xf32>, tensor<256x32xf32>) outs(%1 : tensor<4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x32xf32>
  return %3 : tensor<4x32xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// `one_hot` reads an element for each iteration of one loop only. In the body of the contraction,
// which would have no operand with both loops of lhs, it is not a matrix product.

// CHECK-LABEL: func.func @one_hot
//       CHECK:   linalg.index 0
//       CHECK:   linalg.yield
//       CHECK:   linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<32x4096xf32>, tensor<4096x16xf32>)
func.func @one_hot(%i: tensor<4096xi32>, %x: tensor<4096x16xf32>, %y: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %e = tensor.empty() : tensor<32x4096xf32>
  %0 = linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<4096xi32>) outs(%e : tensor<32x4096xf32>) {
  ^bb0(%a: i32, %out: f32):
    %row = linalg.index 0 : index
    %class = arith.index_cast %row : index to i32
    %same = arith.cmpi eq, %a, %class : i32
    %f = arith.uitofp %same : i1 to f32
    linalg.yield %f : f32
  } -> tensor<32x4096xf32>
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%0, %x : tensor<32x4096xf32>, tensor<4096x16xf32>) outs(%y : tensor<32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %out, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}
