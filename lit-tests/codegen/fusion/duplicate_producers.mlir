// RUN: halo-opt %s --halo-duplicate-producers --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-duplicate-producers --halo-fuse-elementwise --split-input-file | FileCheck %s --check-prefix=FUSED

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#row = affine_map<(d0, d1) -> (d0)>
#last = affine_map<(d0, d1) -> (d1)>

// A sum over rows and a sum over columns have different blocks.
//
// CHECK-LABEL: func.func @rows_and_columns
// CHECK-COUNT-2: arith.subf
// CHECK-NOT: arith.subf
// FUSED-LABEL: func.func @rows_and_columns
// FUSED-COUNT-2: linalg.generic {{.*}} ins(%arg0, %arg1 :
// FUSED-NOT: linalg.generic
// FUSED: return
func.func @rows_and_columns(%x: tensor<64x100xf32>, %mean: tensor<64x1xf32>, %rows: tensor<64xf32>, %columns: tensor<100xf32>) -> (tensor<64xf32>, tensor<100xf32>) {
  %e = tensor.empty() : tensor<64x100xf32>
  %0 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean : tensor<64x100xf32>, tensor<64x1xf32>) outs(%e : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.subf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<64x100xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<64x100xf32>) outs(%rows : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %o, %a : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #last], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<64x100xf32>) outs(%columns : tensor<100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %o, %a : f32
    linalg.yield %3 : f32
  } -> tensor<100xf32>
  return %1, %2 : tensor<64xf32>, tensor<100xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A block has no memory for a row of 64 KB, but for one of 400 bytes. An op of two large operands
// is not cheaper to compute again.
//
// CHECK-LABEL: func.func @long_rows
// CHECK-COUNT-2: math.exp
// CHECK-NOT: math.exp
// CHECK-LABEL: func.func @short_rows
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK-LABEL: func.func @two_operands
// CHECK-COUNT-1: arith.mulf
// CHECK-NOT: arith.mulf
func.func @long_rows(%x: tensor<4x16384xf32>, %sum: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x16384xf32>) {
  %e = tensor.empty() : tensor<4x16384xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x16384xf32>) outs(%e : tensor<4x16384xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.exp %a : f32
    linalg.yield %3 : f32
  } -> tensor<4x16384xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16384xf32>) outs(%sum : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %o, %a : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x16384xf32>, tensor<4xf32>) outs(%e : tensor<4x16384xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %3 = arith.divf %a, %s : f32
    linalg.yield %3 : f32
  } -> tensor<4x16384xf32>
  return %1, %2 : tensor<4xf32>, tensor<4x16384xf32>
}

func.func @short_rows(%x: tensor<4x100xf32>, %sum: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x100xf32>) {
  %e = tensor.empty() : tensor<4x100xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x100xf32>) outs(%e : tensor<4x100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.exp %a : f32
    linalg.yield %3 : f32
  } -> tensor<4x100xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x100xf32>) outs(%sum : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %o, %a : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x100xf32>, tensor<4xf32>) outs(%e : tensor<4x100xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %3 = arith.divf %a, %s : f32
    linalg.yield %3 : f32
  } -> tensor<4x100xf32>
  return %1, %2 : tensor<4xf32>, tensor<4x100xf32>
}

func.func @two_operands(%x: tensor<4x16384xf32>, %y: tensor<4x16384xf32>, %sum: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x16384xf32>) {
  %e = tensor.empty() : tensor<4x16384xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x16384xf32>, tensor<4x16384xf32>) outs(%e : tensor<4x16384xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.mulf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<4x16384xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16384xf32>) outs(%sum : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %o, %a : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x16384xf32>, tensor<4xf32>) outs(%e : tensor<4x16384xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %3 = arith.divf %a, %s : f32
    linalg.yield %3 : f32
  } -> tensor<4x16384xf32>
  return %1, %2 : tensor<4xf32>, tensor<4x16384xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#last = affine_map<(d0, d1) -> (d1)>

// A sum of products with a scale would be no sum over rows.
//
// CHECK-LABEL: func.func @scale
// CHECK-COUNT-1: arith.mulf
// CHECK-NOT: arith.mulf
func.func @scale(%x: tensor<4x16384xf32>, %scale: tensor<16384xf32>, %sum: tensor<4xf32>) -> (tensor<4xf32>, tensor<4x16384xf32>) {
  %e = tensor.empty() : tensor<4x16384xf32>
  %0 = linalg.generic {indexing_maps = [#id, #last, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %scale : tensor<4x16384xf32>, tensor<16384xf32>) outs(%e : tensor<4x16384xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.mulf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<4x16384xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x16384xf32>) outs(%sum : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %o, %a : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<4x16384xf32>, tensor<4xf32>) outs(%e : tensor<4x16384xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %3 = arith.divf %a, %s : f32
    linalg.yield %3 : f32
  } -> tensor<4x16384xf32>
  return %1, %2 : tensor<4xf32>, tensor<4x16384xf32>
}
