// RUN: halo-opt %s --split-input-file --halo-fold-add-into-dest --canonicalize | FileCheck %s
// RUN: halo-opt %s --split-input-file --halo-fold-add-into-dest=explain --verify-diagnostics -o /dev/null

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// The second product starts from the first one.
// CHECK-LABEL: func.func @cell(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x16xf32>, %[[H:.*]]: tensor<4x8xf32>, %[[U:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<16xf32>)
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W]] : {{.*}}) outs(%[[ZEROS]] :
// CHECK: %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[H]], %[[U]] : {{.*}}) outs(%[[FIRST]] :
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[BOTH]], %[[B]] : tensor<4x16xf32>, tensor<16xf32>)
// CHECK: arith.addf
// CHECK-NEXT: math.tanh
// CHECK: return %[[RESULT]]
func.func @cell(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x8xf32>, %u: tensor<8x16xf32>, %bias: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1, %bias : tensor<4x16xf32>, tensor<4x16xf32>, tensor<16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    %t = arith.addf %s, %c : f32
    %y = math.tanh %t : f32
    linalg.yield %y : f32
  } -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// The bias is added to the first product, and nothing but the sum is left of the last op.
// CHECK-LABEL: func.func @bias_first(
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} outs(%[[ZEROS:.*]] : tensor<4x16xf32>)
// CHECK: %[[START:.*]] = linalg.generic {{.*}} ins(%[[FIRST]], %{{.*}} : tensor<4x16xf32>, tensor<16xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: %[[BOTH:.*]] = linalg.generic {{.*}} outs(%[[START]] : tensor<4x16xf32>)
// CHECK: return %[[BOTH]]
func.func @bias_first(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x8xf32>, %u: tensor<8x16xf32>, %bias: tensor<16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1, %bias : tensor<4x16xf32>, tensor<4x16xf32>, tensor<16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %c: f32, %out: f32):
    %s = arith.addf %l, %c : f32
    %t = arith.addf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// The first product is a result itself, so it is not overwritten; and what a product is
// subtracted from is no start.
// CHECK-LABEL: func.func @apart(
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%[[ZEROS]] :
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK-NEXT: arith.subf
func.func @apart(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x8xf32>, %u: tensor<8x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  // expected-remark @+1 {{is not added up with another product: something else needs it, too}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-note @+1 {{the sum}}
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %l : f32
    %t = arith.subf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  return %0, %2 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#reversed = affine_map<(m, n) -> (-m + 3, n)>

// Both products start from other values; or the sum has other elements of one of them.
// CHECK-LABEL: func.func @no_start(
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%arg4 :
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%[[ZEROS:.*]] :
func.func @no_start(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x8xf32>, %u: tensor<8x16xf32>, %start: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%start : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-remark @+1 {{is not added up with another product: it starts from other values than zeros}}
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%start : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-note @+1 {{the sum}}
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %3 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-remark @+1 {{is not added up with another product: the sum has elements of other positions}}
  %4 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-note @+1 {{the sum}}
  %5 = linalg.generic {indexing_maps = [#id, #reversed, #id], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %2, %5 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// What a product is added to cannot be computed with the tiles of another one: it reads a
// matrix, or several products, or is needed elsewhere.
// CHECK-LABEL: func.func @no_formula(
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK-COUNT-7: linalg.generic {{.*}} outs(%[[ZEROS]] :
func.func @no_formula(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %h: tensor<4x8xf32>, %u: tensor<8x16xf32>, %residual: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-remark @+1 {{is not added up with another product: what it is added to reads another matrix}}
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-note @+1 {{the sum}}
  %2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %residual, %1 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %m: f32, %r: f32, %out: f32):
    %s = arith.addf %l, %m : f32
    %t = arith.addf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  %3 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-remark @+1 {{is not added up with another product: something else needs a part of what it is added to}}
  %4 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-note @+1 {{the sum}}
  %5 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = math.exp %l : f32
    %t = arith.addf %s, %r : f32
    %y = arith.mulf %t, %s : f32
    linalg.yield %y : f32
  } -> tensor<4x16xf32>
  %6 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  %7 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-remark @+1 {{is not added up with another product: it is added to several products}}
  %8 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<4x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  // expected-note @+1 {{the sum}}
  %9 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%6, %7, %8 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%l: f32, %m: f32, %r: f32, %out: f32):
    %s = arith.mulf %l, %m : f32
    %t = arith.addf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  return %2, %5, %9 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// A vector is not computed by tiles.
// CHECK-LABEL: func.func @vector(
// CHECK: %[[ZEROS:.*]] = linalg.fill
// CHECK-COUNT-2: linalg.generic {{.*}} outs(%[[ZEROS]] :
func.func @vector(%x: tensor<1x8xf32>, %w: tensor<8x16xf32>, %h: tensor<1x8xf32>, %u: tensor<8x16xf32>) -> tensor<1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<1x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>
  // expected-remark @+1 {{is not added up with another product: a vector has no tiles to start from}}
  %1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %u : tensor<1x8xf32>, tensor<8x16xf32>) outs(%zeros : tensor<1x16xf32>) {
  ^bb0(%l: f32, %r: f32, %sum: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>
  // expected-note @+1 {{the sum}}
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<1x16xf32>, tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %s = math.exp %l : f32
    %t = arith.addf %s, %r : f32
    linalg.yield %t : f32
  } -> tensor<1x16xf32>
  return %2 : tensor<1x16xf32>
}
