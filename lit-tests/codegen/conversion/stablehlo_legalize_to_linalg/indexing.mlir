// RUN: halo-opt %s --split-input-file --stablehlo-legalize-to-linalg | FileCheck %s

// The start of each slice is moved to where the slice fits.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%[[ROWS:.*]]: tensor<100x8xf32>, %[[NUMBERS:.*]]: tensor<4xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[NUMBERS]] : tensor<4xi32>)
// CHECK: ^bb0(%[[NUMBER:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[WIDE:.*]] = arith.extsi %[[NUMBER]] : i32 to i64
// CHECK: %[[RAISED:.*]] = arith.maxsi %[[WIDE]]
// CHECK: %[[CLAMPED:.*]] = arith.minsi %[[RAISED]]
// CHECK: %[[ROW:.*]] = arith.index_cast %[[CLAMPED]] : i64 to index
// CHECK: %[[COLUMN:.*]] = linalg.index 1
// CHECK: tensor.extract %[[ROWS]][%[[ROW]], %[[COLUMN]]]
func.func @gather(%rows: tensor<100x8xf32>, %numbers: tensor<4xi32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.gather"(%rows, %numbers) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>
  }> : (tensor<100x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Positions are read where they were before a reshape made vectors of them.
// CHECK-LABEL: func.func @gather_vectors
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<100x8xf32>, %[[NUMBERS:[a-z0-9]+]]: tensor<4xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[NUMBERS]] : tensor<4xi32>)
func.func @gather_vectors(%rows: tensor<100x8xf32>, %numbers: tensor<4xi32>) -> tensor<4x8xf32> {
  %0 = stablehlo.reshape %numbers : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%rows, %0) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>
  }> : (tensor<100x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// One comparison for a row; the loop along it asks nothing.
// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%[[TABLE:.*]]: tensor<100x8xf32>,
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[TABLE]])
// CHECK: %[[WITHIN:.*]] = arith.cmpi ult
// CHECK: scf.if %[[WITHIN]]
// CHECK: scf.for {{.*}} iter_args(%[[UPDATED:.*]] = %[[CARRIED]])
// CHECK: %[[OLD:.*]] = tensor.extract %[[UPDATED]]
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]]
// CHECK: tensor.insert %[[NEW]] into %[[UPDATED]]
// CHECK: } else {
// CHECK: scf.yield %[[CARRIED]]
func.func @scatter(%table: tensor<100x8xf32>, %numbers: tensor<4x1xi32>, %rows: tensor<4x8xf32>)
    -> tensor<100x8xf32> {
  %0 = "stablehlo.scatter"(%table, %numbers, %rows) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %1 = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<100x8xf32>
  return %0 : tensor<100x8xf32>
}

// With one index vector, the elements of its window may be updated in any order.

// CHECK-LABEL: func.func @scatter_one_row
// CHECK: scf.if
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: } {halo.scatter = #halo.scatter<unique>}
// CHECK-NOT: halo.scatter
func.func @scatter_one_row(%table: tensor<100x64xf32>, %number: tensor<1xi32>, %row: tensor<64xf32>)
    -> tensor<100x64xf32> {
  %0 = "stablehlo.scatter"(%table, %number, %row) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>
  }> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %1 = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<1xi32>, tensor<64xf32>) -> tensor<100x64xf32>
  return %0 : tensor<100x64xf32>
}

// -----

// The concatenated indices of `x[i, j]` are read where they come from.

// CHECK-LABEL: func.func @gather_by_two_indices
// CHECK-SAME: (%[[X:.*]]: tensor<10x20xf32>, %[[I:.*]]: tensor<64x1xi32>, %[[J:.*]]: tensor<64x1xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[I]], %[[J]] : tensor<64x1xi32>, tensor<64x1xi32>)
func.func @gather_by_two_indices(%x: tensor<10x20xf32>, %i: tensor<64x1xi32>, %j: tensor<64x1xi32>)
    -> tensor<64xf32> {
  %at = stablehlo.concatenate %i, %j, dim = 1 : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x2xi32>
  %0 = "stablehlo.gather"(%x, %at) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>
  }> : (tensor<10x20xf32>, tensor<64x2xi32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// A window within the operand at a constant position is a slice, `x.at[1:9, :].add(y)`.

// CHECK-LABEL: func.func @scatter_constant_window
// CHECK-SAME: (%[[X:.*]]: tensor<10x64xf32>, %[[Y:.*]]: tensor<8x64xf32>)
// CHECK: %[[OLD:.*]] = tensor.extract_slice %[[X]][1, 0] [8, 64] [1, 1]
// CHECK: %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[Y]] : tensor<8x64xf32>) outs(%[[OLD]] : tensor<8x64xf32>)
// CHECK: ^bb0(%[[UPDATE:.*]]: f32, %[[BEFORE:.*]]: f32):
// CHECK: arith.addf %[[BEFORE]], %[[UPDATE]]
// CHECK: tensor.insert_slice %[[NEW]] into %[[X]][1, 0] [8, 64] [1, 1]
func.func @scatter_constant_window(%x: tensor<10x64xf32>, %y: tensor<8x64xf32>)
    -> tensor<10x64xf32> {
  %at = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %at, %y) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0]>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<10x64xf32>, tensor<1xi32>, tensor<8x64xf32>) -> tensor<10x64xf32>
  return %0 : tensor<10x64xf32>
}

// -----

// Only the elements within the operand are updated of a window that reaches beyond its edge.

// CHECK-LABEL: func.func @scatter_beyond_the_edge
// CHECK-NOT: tensor.insert_slice
func.func @scatter_beyond_the_edge(%x: tensor<10x64xf32>, %y: tensor<8x64xf32>)
    -> tensor<10x64xf32> {
  %at = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %at, %y) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0]>
  }> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<10x64xf32>, tensor<1xi32>, tensor<8x64xf32>) -> tensor<10x64xf32>
  return %0 : tensor<10x64xf32>
}

// -----

// Short rows are sorted by insertion, each on its own.
// CHECK-LABEL: func.func @sort_short_rows
// CHECK-NOT: memref.alloc
// CHECK: scf.forall (%[[ROW:.*]]) in (6) shared_outs(%[[OUT:.*]] = %{{.*}}) -> (tensor<6x4xf32>)
// CHECK: tensor.extract_slice %[[OUT]][%[[ROW]], 0] [1, 4] [1, 1] : tensor<6x4xf32> to tensor<4xf32>
// CHECK: scf.while
// CHECK: tensor.parallel_insert_slice %{{.*}} into %[[OUT]][%[[ROW]], 0] [1, 4] [1, 1]
func.func @sort_short_rows(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// A long row is sorted by the runtime if the comparator compares one number. Two
// operands take no memory beside the results.
// CHECK-LABEL: func.func @sort_by_runtime(
// CHECK-SAME: %[[X:.*]]: tensor<2000xi8>, %[[Y:.*]]: tensor<2000xi32>)
// CHECK: halo.custom_call "halo.sort"(%[[X]], %[[Y]])
// CHECK-SAME: dictionary = {descending = false, key = 0 : i64, nans_are_equal = false, zeros_are_equal = true}
// CHECK-SAME: operand_types = [tensor<2000xui8>, tensor<2000xi32>]
// CHECK-NOT: memref.alloc
func.func @sort_by_runtime(%x: tensor<2000xui8>, %y: tensor<2000xi32>)
    -> (tensor<2000xui8>, tensor<2000xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2000xui8>, tensor<2000xi32>) -> (tensor<2000xui8>, tensor<2000xi32>)
  return %0#0, %0#1 : tensor<2000xui8>, tensor<2000xi32>
}

// -----

// Floats with one zero and one NaN, as jax.numpy.sort compares them, larger ones first,
// in columns.
// CHECK-LABEL: func.func @sort_normalized_floats
// CHECK: %[[T:.*]] = linalg.{{generic|transpose}}
// CHECK: halo.custom_call "halo.sort"
// CHECK-SAME: dictionary = {descending = true, key = 0 : i64, nans_are_equal = true, zeros_are_equal = true}
// CHECK-SAME: (tensor<3x2000xbf16>) -> tensor<3x2000xbf16>
func.func @sort_normalized_floats(%x: tensor<2000x3xbf16>) -> tensor<2000x3xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %nan = stablehlo.constant dense<0x7FC0> : tensor<bf16>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %2 = stablehlo.select %1, %zero, %a : tensor<i1>, tensor<bf16>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<bf16>
    %5 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %6 = stablehlo.select %5, %zero, %b : tensor<i1>, tensor<bf16>
    %7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<bf16>
    %9 = stablehlo.compare GT, %4, %8, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<2000x3xbf16>) -> tensor<2000x3xbf16>
  return %0 : tensor<2000x3xbf16>
}

// -----

// A long row whose key is computed, to a byte: one pass, without memory beside.
// CHECK-LABEL: func.func @sort_by_digits
// CHECK: memref.alloc() : memref<1x256xi32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: scf.while
func.func @sort_by_digits(%x: tensor<2000xui8>, %y: tensor<2000xi32>)
    -> (tensor<2000xui8>, tensor<2000xi32>) {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.popcnt %a : tensor<ui8>
    %2 = stablehlo.popcnt %b : tensor<ui8>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<2000xui8>, tensor<2000xi32>) -> (tensor<2000xui8>, tensor<2000xi32>)
  return %0#0, %0#1 : tensor<2000xui8>, tensor<2000xi32>
}

// -----

// A comparator that is not the order of one key: runs are merged.
// CHECK-LABEL: func.func @sort_by_merging
// CHECK: memref.alloc() : memref<1x2000xi32>
// CHECK: scf.while
// CHECK: arith.divui
func.func @sort_by_merging(%x: tensor<2000xi32>) -> tensor<2000xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2000xi32>) -> tensor<2000xi32>
  return %0 : tensor<2000xi32>
}

// -----

// Blocks whose largest element does not reach into the list are left out. The lists are
// no tensors, which would be copied.
// CHECK-LABEL: func.func @top_k
//       CHECK: memref.alloc() : memref<2x4xf32>
//       CHECK: memref.alloc() : memref<2x4xi32>
//       CHECK: scf.forall {{.*}} -> (tensor<2x3xf32>, tensor<2x3xi32>)
//       CHECK: scf.for {{.*}} iter_args(%[[LEAST:[a-z0-9]+]] = %c-2147483648_i32{{.*}}) -> (i32)
//       CHECK: %[[LARGEST:[0-9]+]] = scf.for {{.*}} -> (i32)
//       CHECK: arith.maxsi {{.*}} : i32
//       CHECK: {halo.parallel}
//       CHECK: %[[REACHES:.*]] = arith.cmpi sge, %[[LARGEST]], %[[LEAST]]
//       CHECK: scf.if %[[REACHES]]
//       CHECK: arith.cmpi sge
//       CHECK: scf.while
func.func @top_k(%x: tensor<2x500xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x500xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}
