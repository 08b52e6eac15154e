// RUN: halo-opt %s --halo-fuse-contraction-chains="fewest-bytes=1 most-rows=32 fewest-tiles=1" --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-fuse-contraction-chains="fewest-bytes=1 most-rows=32 fewest-tiles=1 explain=true" --split-input-file --verify-diagnostics -o /dev/null

#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs = affine_map<(b, m, n, k) -> (b, n, k)>
#rhs_rows = affine_map<(b, m, n, k) -> (b, k, n)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>
#id = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>

// Attention for 32 of 64 queries of one of 4 heads at a time. The rows of a softmax are a
// group. Positions count from the first query of the tile, and a conversion behind the last
// product is in the loop.
//
// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[Q:.*]]: tensor<4x64x8xf32>, %[[K:.*]]: tensor<4x128x8xf32>, %[[V:.*]]: tensor<4x128x8xf32>
// CHECK-NOT: linalg
// CHECK: %[[RESULT:.*]] = scf.forall (%[[I:.*]]) in (8) shared_outs(%[[SHARED:.*]] = %{{.*}}) -> (tensor<4x64x8xbf16>) {
// CHECK-DAG: %[[TILE:.*]] = arith.remui %[[I]]
// CHECK-DAG: %[[HEAD:.*]] = arith.divui %[[I]]
// CHECK-DAG: %[[FIRST:.*]] = arith.muli %[[TILE]], %c32
// CHECK-DAG: %[[QUERIES:.*]] = tensor.extract_slice %[[Q]][%[[HEAD]], %[[FIRST]], 0] [1, 32, 8] [1, 1, 1] : tensor<4x64x8xf32> to tensor<32x8xf32>
// CHECK-DAG: %[[KEYS:.*]] = tensor.extract_slice %[[K]][%[[HEAD]], 0, 0] [1, 128, 8] [1, 1, 1] : tensor<4x128x8xf32> to tensor<128x8xf32>
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}}["parallel", "parallel", "reduction"]} ins(%[[QUERIES]], %[[KEYS]] : {{.*}} outs(%{{.*}} : tensor<32x128xf32>)
// CHECK: %[[ROWS:.*]] = scf.forall (%[[ROW:.*]]) in (32) shared_outs(%{{.*}} = %[[SCORES]])
// CHECK:   arith.cmpi sle
// CHECK:   arith.addf
// CHECK:   arith.divf
// CHECK: %[[VALUES:.*]] = tensor.extract_slice %[[V]][%[[HEAD]], 0, 0] [1, 128, 8]
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[ROWS]], %[[VALUES]] : tensor<32x128xf32>, tensor<128x8xf32>){{.*}} outs(%{{.*}} : tensor<32x8xf32>)
// CHECK: %[[LAST:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<32x8xf32>)
// CHECK: tensor.parallel_insert_slice %[[LAST]] into %[[SHARED]][%[[HEAD]], %[[FIRST]], 0] [1, 32, 8] [1, 1, 1]
// CHECK-NOT: linalg
// CHECK: return %[[RESULT]]
func.func @attention(%q: tensor<4x64x8xf32>, %k: tensor<4x128x8xf32>, %v: tensor<4x128x8xf32>) -> tensor<4x64x8xbf16> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x64x128xf32>
  %e1 = tensor.empty() : tensor<4x64xf32>
  %e2 = tensor.empty() : tensor<4x64x8xf32>
  %e3 = tensor.empty() : tensor<4x64x8xbf16>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<4x64x8xf32>, tensor<4x128x8xf32>) outs(%0 : tensor<4x64x128xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<4x64x128xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x64x128xf32>) outs(%e0 : tensor<4x64x128xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = linalg.index 1 : index
    %10 = linalg.index 2 : index
    %11 = arith.cmpi sle, %10, %9 : index
    %12 = math.exp %x : f32
    %13 = arith.select %11, %12, %zero : f32
    linalg.yield %13 : f32
  } -> tensor<4x64x128xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x64xf32>) -> tensor<4x64xf32>
  %4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<4x64x128xf32>) outs(%3 : tensor<4x64xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.addf %out, %x : f32
    linalg.yield %9 : f32
  } -> tensor<4x64xf32>
  %5 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %4 : tensor<4x64x128xf32>, tensor<4x64xf32>) outs(%e0 : tensor<4x64x128xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.divf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<4x64x128xf32>
  %6 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x64x8xf32>) -> tensor<4x64x8xf32>
  %7 = linalg.generic {indexing_maps = [#lhs, #rhs_rows, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%5, %v : tensor<4x64x128xf32>, tensor<4x128x8xf32>) outs(%6 : tensor<4x64x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<4x64x8xf32>
  %8 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<4x64x8xf32>) outs(%e3 : tensor<4x64x8xbf16>) {
  ^bb0(%x: f32, %out: bf16):
    %9 = arith.truncf %x : f32 to bf16
    linalg.yield %9 : bf16
  } -> tensor<4x64x8xbf16>
  return %8 : tensor<4x64x8xbf16>
}

// -----

#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs = affine_map<(b, m, n, k) -> (b, n, k)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>
#swap = affine_map<(b, g, s, t) -> (b, s, g, t)>
#id4 = affine_map<(b, g, s, t) -> (b, g, s, t)>

// Three heads of queries for each head of keys: the rows of the first product are queries
// and then heads, those of the second one heads and then queries. A tile has 32 queries of
// a head, every third row of the first product. The factor with the rows is the second one
// of the last product.
//
// CHECK-LABEL: func.func @grouped
// CHECK: scf.forall (%[[I:.*]]) in (12)
// CHECK: %[[QUERIES:.*]] = tensor.extract_slice %{{.*}}[%{{.*}}, %{{.*}}, 0] [1, 32, 8] [1, 3, 1] : tensor<2x192x8xf32> to tensor<32x8xf32>
// CHECK: linalg.generic {{.*}} ins(%[[QUERIES]], %{{.*}} outs(%{{.*}} : tensor<32x128xf32>)
// CHECK: linalg.generic {{.*}}["parallel", "parallel"]{{.*}} outs(%{{.*}} : tensor<32x128xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8x32xf32>)
// CHECK: tensor.parallel_insert_slice %{{.*}} [1, 8, 32] [1, 1, 1] : tensor<8x32xf32> into tensor<2x8x192xf32>
func.func @grouped(%q: tensor<2x192x8xf32>, %k: tensor<2x128x8xf32>, %v: tensor<2x8x128xf32>) -> tensor<2x8x192xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x192x128xf32>
  %e1 = tensor.empty() : tensor<2x3x64x128xf32>
  %e2 = tensor.empty() : tensor<2x8x192xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x192x128xf32>) -> tensor<2x192x128xf32>
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x192x8xf32>, tensor<2x128x8xf32>) outs(%0 : tensor<2x192x128xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<2x192x128xf32>
  %2 = tensor.expand_shape %1 [[0], [1, 2], [3]] output_shape [2, 64, 3, 128] : tensor<2x192x128xf32> into tensor<2x64x3x128xf32>
  %3 = linalg.generic {indexing_maps = [#swap, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x64x3x128xf32>) outs(%e1 : tensor<2x3x64x128xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.exp %x : f32
    linalg.yield %9 : f32
  } -> tensor<2x3x64x128xf32>
  %4 = tensor.collapse_shape %3 [[0], [1, 2], [3]] : tensor<2x3x64x128xf32> into tensor<2x192x128xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2x8x192xf32>) -> tensor<2x8x192xf32>
  %6 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v, %4 : tensor<2x8x128xf32>, tensor<2x192x128xf32>) outs(%5 : tensor<2x8x192xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<2x8x192xf32>
  return %6 : tensor<2x8x192xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// Nothing divides 67 rows: two tiles have 24, and a loop of its own computes 19.
//
// CHECK-LABEL: func.func @rest
// CHECK: %[[FIRST:.*]] = scf.forall (%{{.*}}) in (2)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<24x8xf32>)
// CHECK: %[[SECOND:.*]] = scf.forall (%{{.*}}) in (1) shared_outs(%[[SHARED:.*]] = %[[FIRST]])
// CHECK: tensor.extract_slice %{{.*}}[48, 0] [19, 8] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<19x8xf32>)
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[SHARED]][48, 0] [19, 8] [1, 1]
// CHECK: return %[[SECOND]]
func.func @rest(%x: tensor<67x8xf32>, %w0: tensor<8x40xf32>, %w1: tensor<40x8xf32>) -> tensor<67x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<67x40xf32>
  %e1 = tensor.empty() : tensor<67x8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<67x40xf32>) -> tensor<67x40xf32>
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w0 : tensor<67x8xf32>, tensor<8x40xf32>) outs(%0 : tensor<67x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<67x40xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<67x8xf32>) -> tensor<67x8xf32>
  %3 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %w1 : tensor<67x40xf32>, tensor<40x8xf32>) outs(%2 : tensor<67x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<67x8xf32>
  return %3 : tensor<67x8xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// The backward pass reads what is between the products: it has to be stored anyway.
//
// CHECK-LABEL: func.func @kept
// CHECK-NOT: scf.forall
func.func @kept(%x: tensor<64x8xf32>, %w0: tensor<8x40xf32>, %w1: tensor<40x8xf32>) -> (tensor<64x8xf32>, tensor<64x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x40xf32>
  %e1 = tensor.empty() : tensor<64x8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x40xf32>) -> tensor<64x40xf32>
  // expected-note@+1 {{the product before it}}
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w0 : tensor<64x8xf32>, tensor<8x40xf32>) outs(%0 : tensor<64x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x40xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x8xf32>) -> tensor<64x8xf32>
  // expected-remark@+1 {{is not computed with the product before it: another op reads what is between the products}}
  %3 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %w1 : tensor<64x40xf32>, tensor<40x8xf32>) outs(%2 : tensor<64x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x8xf32>
  return %3, %1 : tensor<64x8xf32>, tensor<64x40xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// Each tile of rows would pack all weights, which are larger than what is between them.
//
// CHECK-LABEL: func.func @weights
// CHECK-NOT: scf.forall
func.func @weights(%x: tensor<64x40xf32>, %w0: tensor<40x40xf32>, %w1: tensor<40x40xf32>) -> tensor<64x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x40xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x40xf32>) -> tensor<64x40xf32>
  // expected-note@+1 {{the product before it}}
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w0 : tensor<64x40xf32>, tensor<40x40xf32>) outs(%0 : tensor<64x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x40xf32>
  // expected-remark@+1 {{is not computed with the product before it: each tile would pack larger factors than it saves}}
  %2 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1, %w1 : tensor<64x40xf32>, tensor<40x40xf32>) outs(%0 : tensor<64x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x40xf32>
  return %2 : tensor<64x40xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// Columns of the first product are summed up, of which a tile of rows has a part.
//
// CHECK-LABEL: func.func @columns
// CHECK-NOT: scf.forall
func.func @columns(%x: tensor<64x2xf32>, %w0: tensor<2x40xf32>, %w1: tensor<40x2xf32>) -> tensor<64x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x40xf32>
  %e1 = tensor.empty() : tensor<64x2xf32>
  %e2 = tensor.empty() : tensor<40xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x40xf32>) -> tensor<64x40xf32>
  // expected-note@+1 {{the product before it}}
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w0 : tensor<64x2xf32>, tensor<2x40xf32>) outs(%0 : tensor<64x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x40xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<40xf32>) -> tensor<40xf32>
  // expected-note@+1 {{this op}}
  %3 = linalg.generic {indexing_maps = [affine_map<(n, m) -> (m, n)>, affine_map<(n, m) -> (n)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x40xf32>) outs(%2 : tensor<40xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = arith.addf %out, %a : f32
    linalg.yield %9 : f32
  } -> tensor<40xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<64x40xf32>, tensor<40xf32>) outs(%e0 : tensor<64x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.divf %a, %b : f32
    linalg.yield %9 : f32
  } -> tensor<64x40xf32>
  %5 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x2xf32>) -> tensor<64x2xf32>
  // expected-remark@+1 {{is not computed with the product before it: several tiles would compute it}}
  %6 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4, %w1 : tensor<64x40xf32>, tensor<40x2xf32>) outs(%5 : tensor<64x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x2xf32>
  return %6 : tensor<64x2xf32>
}

// -----

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// A row of what is between the products takes 40000 bytes: 26 of them fit into a tile. Blocks of
// columns would not have the product of the whole row.
//
// CHECK-LABEL: func.func @long_rows
// CHECK-NOT: scf.forall
func.func @long_rows(%x: tensor<64x1xf32>, %w0: tensor<1x10000xf32>, %w1: tensor<10000x1xf32>) -> tensor<64x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64x10000xf32>
  %e1 = tensor.empty() : tensor<64x1xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64x10000xf32>) -> tensor<64x10000xf32>
  // expected-note@+1 {{the product before it}}
  %1 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w0 : tensor<64x1xf32>, tensor<1x10000xf32>) outs(%0 : tensor<64x10000xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x10000xf32>
  %one = arith.constant 1.0 : f32
  %e2 = tensor.empty() : tensor<64xf32>
  %5 = linalg.fill ins(%one : f32) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  %6 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x10000xf32>) outs(%5 : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = arith.mulf %out, %a : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %7 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %6 : tensor<64x10000xf32>, tensor<64xf32>) outs(%e0 : tensor<64x10000xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.addf %a, %b : f32
    linalg.yield %9 : f32
  } -> tensor<64x10000xf32>
  %2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x1xf32>) -> tensor<64x1xf32>
  // expected-remark@+1 {{is not computed with the product before it: few of the rows between them fit into a cache}}
  %3 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7, %w1 : tensor<64x10000xf32>, tensor<10000x1xf32>) outs(%2 : tensor<64x1xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %9 = arith.mulf %a, %b : f32
    %10 = arith.addf %out, %9 : f32
    linalg.yield %10 : f32
  } -> tensor<64x1xf32>
  return %3 : tensor<64x1xf32>
}
