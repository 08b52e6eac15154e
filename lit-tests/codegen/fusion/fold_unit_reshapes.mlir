// RUN: halo-opt %s --halo-fold-unit-reshapes --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-fold-unit-reshapes=explain --split-input-file --verify-diagnostics -o /dev/null
// RUN: halo-opt %s --halo-fold-unit-reshapes --halo-fuse-elementwise --split-input-file | FileCheck %s --check-prefix=FUSED

#loop = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Positions along the rows are read without the dimension of size 1, and so can be fused.
//
// CHECK-LABEL: func.func @added
// CHECK: %[[IOTA:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<128xi32>)
// CHECK-NOT: tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%[[IOTA]], %{{.*}} : tensor<128xi32>, tensor<64x128xi32>)
//
// FUSED-LABEL: func.func @added
// FUSED-COUNT-1: linalg.generic
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @added(%x: tensor<64x128xi32>) -> tensor<64x128xi1> {
  %e = tensor.empty() : tensor<128xi32>
  %0 = linalg.generic {indexing_maps = [#loop], iterator_types = ["parallel"]} outs(%e : tensor<128xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %9 = arith.index_cast %i : index to i32
    linalg.yield %9 : i32
  } -> tensor<128xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 128] : tensor<128xi32> into tensor<1x128xi32>
  %f = tensor.empty() : tensor<64x128xi1>
  %2 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %x : tensor<1x128xi32>, tensor<64x128xi32>) outs(%f : tensor<64x128xi1>) {
  ^bb0(%a: i32, %b: i32, %out: i1):
    %9 = arith.cmpi slt, %a, %b : i32
    linalg.yield %9 : i1
  } -> tensor<64x128xi1>
  return %2 : tensor<64x128xi1>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#loop = affine_map<(d0) -> (d0)>

// A dimension that is dropped has index 0, and one that is added, whose loop has one
// iteration, hides no producer that is read once.
//
// CHECK-LABEL: func.func @dropped
// CHECK-NOT: shape
// CHECK: %[[EXP:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x1xf32>)
// CHECK: %[[SIN:.*]] = linalg.generic {{.*}} ins(%[[EXP]] : tensor<64x1xf32>) outs(%{{.*}} : tensor<64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SIN]] : tensor<64xf32>) outs(%{{.*}} : tensor<64x1xf32>)
//
// FUSED-LABEL: func.func @dropped
// FUSED-COUNT-1: linalg.generic
// FUSED: math.exp
// FUSED: math.sin
// FUSED: math.cos
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @dropped(%x: tensor<64x1xf32>) -> tensor<64x1xf32> {
  %e = tensor.empty() : tensor<64x1xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x1xf32>) outs(%e : tensor<64x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<64x1xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<64x1xf32> into tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%1 : tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<64x1xf32>) outs(%e : tensor<64x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.cos %a : f32
    linalg.yield %9 : f32
  } -> tensor<64x1xf32>
  return %4 : tensor<64x1xf32>
}

// -----

#loop = affine_map<(d0) -> (d0)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>

// What would be computed again for each element of a row stays behind its reshape, and so
// do arguments, sums, and reshapes of other dimensions.
//
// CHECK-LABEL: func.func @others
// CHECK: math.exp
// CHECK: tensor.expand_shape
// CHECK: tensor.expand_shape
// CHECK: tensor.collapse_shape
func.func @others(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<8x8x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  // expected-remark @+1 {{is not folded into the indices of its reader: the reader would compute elements more than once}}
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %2 = tensor.expand_shape %y [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %3 = tensor.collapse_shape %z [[0, 1], [2]] : tensor<8x8x64xf32> into tensor<64x64xf32>
  %f = tensor.empty() : tensor<64x64xf32>
  // expected-note @+1 {{the reader}}
  %4 = linalg.generic {indexing_maps = [#column, #column, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %2, %3 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %8 = arith.mulf %a, %b : f32
    %9 = arith.addf %8, %c : f32
    linalg.yield %9 : f32
  } -> tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}

// -----

#loop = affine_map<(d0) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// What others read too is computed for itself, and other dimensions are no index map.
//
// CHECK-LABEL: func.func @kept
// CHECK: tensor.expand_shape
// CHECK: tensor.expand_shape
//
// FUSED-LABEL: func.func @kept
// FUSED-COUNT-2: tensor.expand_shape
func.func @kept(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64x1xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<64xf32>
  // expected-remark @+1 {{is not folded into the indices of its reader: what it is of computes, and has several uses}}
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  // expected-remark @+1 {{is not folded into the indices of its reader: other dimensions than those of size 1 come or go}}
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [8, 8] : tensor<64xf32> into tensor<8x8xf32>
  %f = tensor.empty() : tensor<64x1xf32>
  // expected-note @+1 {{the reader}}
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<64x1xf32>) outs(%f : tensor<64x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<64x1xf32>
  %g = tensor.empty() : tensor<8x8xf32>
  // expected-note @+1 {{the reader}}
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x8xf32>) outs(%g : tensor<8x8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<8x8xf32>
  return %0, %3, %4 : tensor<64xf32>, tensor<64x1xf32>, tensor<8x8xf32>
}
