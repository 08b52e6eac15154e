// RUN: halo-opt %s --halo-split-concatenations --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-split-concatenations=explain --split-input-file --verify-diagnostics -o /dev/null

#id = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
#row = affine_map<(d0, d1) -> (0, d1)>

// Each part of the result is computed of a part of the concatenation: other operands are
// sliced, a broadcast is made for each part, and indices get the offset of the part.
//
// CHECK-LABEL: func.func @parts
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[C:.*]]: tensor<1x14xf32>, %[[S:.*]]: tensor<f32>
// CHECK: %[[S0:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<f32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: %[[C0:.*]] = tensor.extract_slice %[[C]][0, 0] [1, 8] [1, 1]
// CHECK: %[[F0:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[S0]], %[[C0]] : tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x8xf32>)
// CHECK: linalg.index 1
// CHECK-NEXT: arith.index_cast
// CHECK: %[[I0:.*]] = tensor.insert_slice %[[F0]] into %{{.*}}[0, 0] [4, 8] [1, 1]
// CHECK: %[[S1:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<f32>) outs(%{{.*}} : tensor<4x6xf32>)
// CHECK: %[[C1:.*]] = tensor.extract_slice %[[C]][0, 8] [1, 6] [1, 1]
// CHECK: %[[F1:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S1]], %[[C1]] : tensor<4x6xf32>, tensor<4x6xf32>, tensor<1x6xf32>)
// CHECK: %[[INDEX:.*]] = linalg.index 1
// CHECK-NEXT: %[[OFFSET:.*]] = arith.constant 8 : index
// CHECK-NEXT: %[[SHIFTED:.*]] = arith.addi %[[INDEX]], %[[OFFSET]]
// CHECK-NEXT: arith.index_cast %[[SHIFTED]]
// CHECK: %[[I1:.*]] = tensor.insert_slice %[[F1]] into %[[I0]][0, 8] [4, 6] [1, 1]
// CHECK: return %[[I1]]
func.func @parts(%a: tensor<4x8xf32>, %b: tensor<4x6xf32>, %c: tensor<1x14xf32>, %s: tensor<f32>) -> tensor<4x14xf32> {
  %e = tensor.empty() : tensor<4x14xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x14xf32>
  %1 = tensor.insert_slice %b into %0[0, 8] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<4x14xf32>
  %2 = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<f32>) outs(%e : tensor<4x14xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  } -> tensor<4x14xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %2, %c : tensor<4x14xf32>, tensor<4x14xf32>, tensor<1x14xf32>) outs(%e : tensor<4x14xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %out: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %5 = arith.maximumf %x, %y : f32
    %6 = arith.mulf %5, %z : f32
    %7 = arith.addf %6, %f : f32
    linalg.yield %7 : f32
  } -> tensor<4x14xf32>
  return %3 : tensor<4x14xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// What reads the result of parts is computed for parts as well, a producer that nothing
// else reads too, and the parts of two concatenations are taken side by side.
//
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x8xf32>, %[[C:.*]]: tensor<16x4xf32>
// CHECK-NOT: tensor.insert_slice %[[A]]
// CHECK-NOT: tensor.insert_slice %[[B]]
// CHECK: %[[SUM0:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: %[[SUM1:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[A]] : tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: %[[C0:.*]] = tensor.extract_slice %[[C]][0, 0] [8, 4] [1, 1]
// CHECK: %[[EXP0:.*]] = linalg.generic {{.*}} ins(%[[C0]] : tensor<8x4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ID:.*]], #[[TRANSPOSED:.*]], #[[ID]]], {{.*}} ins(%[[SUM0]], %[[EXP0]] : tensor<4x8xf32>, tensor<8x4xf32>)
// CHECK: %[[C1:.*]] = tensor.extract_slice %[[C]][8, 0] [8, 4] [1, 1]
// CHECK: %[[EXP1:.*]] = linalg.generic {{.*}} ins(%[[C1]] : tensor<8x4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[TRANSPOSED]], #[[ID]]], {{.*}} ins(%[[SUM1]], %[[EXP1]] : tensor<4x8xf32>, tensor<8x4xf32>)
func.func @chain(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<16x4xf32>) -> tensor<4x16xf32> {
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %1 = tensor.insert_slice %b into %0[0, 8] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %2 = tensor.insert_slice %b into %e[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %3 = tensor.insert_slice %a into %2[0, 8] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.addf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<4x16xf32>
  %f = tensor.empty() : tensor<16x4xf32>
  %5 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<16x4xf32>) outs(%f : tensor<16x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.exp %x : f32
    linalg.yield %9 : f32
  } -> tensor<16x4xf32>
  %6 = linalg.generic {indexing_maps = [#id, #transposed, #id], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<4x16xf32>, tensor<16x4xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.mulf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<4x16xf32>
  return %6 : tensor<4x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>

// A sum along the concatenation needs it as a whole, and then the other reader takes it so.
//
// CHECK-LABEL: func.func @whole
// CHECK: %[[WHOLE:.*]] = tensor.insert_slice %{{.*}} into %{{.*}}[0, 8] [4, 8] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[WHOLE]] : tensor<4x16xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[WHOLE]] : tensor<4x16xf32>) outs(%{{.*}} : tensor<4x16xf32>)
func.func @whole(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %start: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x16xf32>) {
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  // expected-remark @+1 {{is not computed in parts: a product or a sum reads it}}
  %1 = tensor.insert_slice %b into %0[0, 8] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  // expected-note @+1 {{the reader}}
  %2 = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x16xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.addf %out, %x : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.exp %x : f32
    linalg.yield %9 : f32
  } -> tensor<4x16xf32>
  return %2, %3 : tensor<4xf32>, tensor<4x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>
#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// The op behind a product is computed with the product and is not cut off; padding and an
// update of a tensor are no concatenations.
//
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: linalg.fill
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @others(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %l: tensor<4x4xf32>, %r: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %e = tensor.empty() : tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %0 = tensor.insert_slice %a into %e[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  // expected-remark @+1 {{is not computed in parts: its reader also reads a product or a sum, and may join the loops of that}}
  %1 = tensor.insert_slice %b into %0[0, 8] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %2 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%l, %r : tensor<4x4xf32>, tensor<4x16xf32>) outs(%r : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %8 = arith.mulf %x, %y : f32
    %9 = arith.addf %out, %8 : f32
    linalg.yield %9 : f32
  } -> tensor<4x16xf32>
  // expected-note @+1 {{the reader}}
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.addf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<4x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %padded = tensor.insert_slice %a into %fill[0, 4] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%padded : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = math.exp %x : f32
    linalg.yield %9 : f32
  } -> tensor<4x16xf32>
  return %3, %4 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// One reader reads another one, which is computed with it.
//
// CHECK-LABEL: func.func @readers_of_each_other
// CHECK: %[[NEG0:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[NEG0]] : tensor<4xf32>, tensor<4xf32>)
// CHECK: %[[NEG1:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<2xf32>)
// CHECK: linalg.generic {{.*}} ins(%arg1, %[[NEG1]] : tensor<2xf32>, tensor<2xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[4] [2] [1]
// CHECK-NEXT: return
func.func @readers_of_each_other(%a: tensor<4xf32>, %b: tensor<2xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<6xf32>
  %1 = tensor.insert_slice %b into %0[4] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%x: f32, %out: f32):
    %9 = arith.negf %x : f32
    linalg.yield %9 : f32
  } -> tensor<6xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%1, %2 : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %9 = arith.maximumf %x, %y : f32
    linalg.yield %9 : f32
  } -> tensor<6xf32>
  return %3 : tensor<6xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
#even = affine_map<(d0) -> (d0 * 2)>
#reversed = affine_map<(d0) -> (-d0 + 7)>

// Other readers that need a concatenation as a whole, and one of many parts.
//
// CHECK-LABEL: func.func @other_readers
// CHECK-COUNT-7: linalg.generic
// CHECK-NOT: linalg.generic
func.func @other_readers(%a: tensor<4xf32>, %b: tensor<4xf32>, %one: tensor<1xf32>, %own: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<9xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4xf32>
  %0 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-remark @+1 {{is not computed in parts: something but an elementwise op reads it}}
  %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %3 = tensor.insert_slice %b into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-remark @+1 {{is not computed in parts: its parts are not read in ranges of one loop}}
  %4 = tensor.insert_slice %a into %3[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-note @+1 {{the reader}}
  %5 = linalg.generic {indexing_maps = [#even, #id], iterator_types = ["parallel"]} ins(%4 : tensor<8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  %6 = tensor.insert_slice %b into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-remark @+1 {{is not computed in parts: its reader updates another tensor}}
  %7 = tensor.insert_slice %b into %6[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-note @+1 {{the reader}}
  %8 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%7 : tensor<8xf32>) outs(%own : tensor<8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.addf %x, %out : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %9 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-remark @+1 {{is not computed in parts: a result of its reader has no such parts}}
  %10 = tensor.insert_slice %a into %9[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-note @+1 {{the reader}}
  %11 = linalg.generic {indexing_maps = [#id, #reversed], iterator_types = ["parallel"]} ins(%10 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %g = tensor.empty() : tensor<9xf32>
  %p0 = tensor.insert_slice %one into %g[0] [1] [1] : tensor<1xf32> into tensor<9xf32>
  %p1 = tensor.insert_slice %one into %p0[1] [1] [1] : tensor<1xf32> into tensor<9xf32>
  %p2 = tensor.insert_slice %one into %p1[2] [1] [1] : tensor<1xf32> into tensor<9xf32>
  %p3 = tensor.insert_slice %one into %p2[3] [1] [1] : tensor<1xf32> into tensor<9xf32>
  %p4 = tensor.insert_slice %one into %p3[4] [1] [1] : tensor<1xf32> into tensor<9xf32>
  %p5 = tensor.insert_slice %one into %p4[5] [1] [1] : tensor<1xf32> into tensor<9xf32>
  %p6 = tensor.insert_slice %one into %p5[6] [1] [1] : tensor<1xf32> into tensor<9xf32>
  %p7 = tensor.insert_slice %one into %p6[7] [1] [1] : tensor<1xf32> into tensor<9xf32>
  // expected-remark @+1 {{is not computed in parts: it has many parts}}
  %p8 = tensor.insert_slice %one into %p7[8] [1] [1] : tensor<1xf32> into tensor<9xf32>
  // expected-note @+1 {{the reader}}
  %12 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%p8 : tensor<9xf32>) outs(%g : tensor<9xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<9xf32>
  %13 = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  // expected-remark @+1 {{is not computed in parts: a loop or branch reads it}}
  %14 = tensor.insert_slice %b into %13[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %15 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    // expected-note @+1 {{the reader}}
    %y = tensor.extract %14[%i] : tensor<8xf32>
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %16 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%14 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  // expected-note @+1 {{the reader}}
  return %1, %2, %5, %8, %11, %12, %15, %16 : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>, tensor<9xf32>, tensor<8xf32>, tensor<8xf32>
}
