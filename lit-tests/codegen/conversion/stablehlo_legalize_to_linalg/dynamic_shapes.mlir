// RUN: halo-opt %s --split-input-file --stablehlo-legalize-to-linalg --canonicalize --cse | FileCheck %s

// Sizes that must agree are compared once, and the result has the sizes of the first operand.
// CHECK-LABEL: @sum(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>, %[[Y:.*]]: tensor<?x4xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[M:.*]] = tensor.dim %[[Y]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[M]], %[[N]]
// CHECK: cf.assert %[[SAME]], "'stablehlo.add' op expected dimension 0 of operand 1 to equal dimension 0 of operand 0"
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[N]]) : tensor<?x4xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] {{.*}} outs(%[[EMPTY]]
// CHECK-NOT: cf.assert
// CHECK: return
func.func @sum(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  %1 = stablehlo.exponential %0 : tensor<?x4xf32>
  %2 = stablehlo.multiply %1, %x : tensor<?x4xf32>
  %3 = stablehlo.subtract %2, %y : tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// -----

// A size that one type has is static.
// CHECK-LABEL: @static_sizes(
// CHECK: cf.assert {{.*}} "'stablehlo.add' op expected dimension 0 of operand 0 to equal 3"
// CHECK: cf.assert {{.*}} "'stablehlo.add' op expected dimension 1 of operand 1 to equal 4"
// CHECK: tensor.empty() : tensor<3x4xf32>
// CHECK: tensor.cast %{{.*}} : tensor<3x4xf32> to tensor<?x?xf32>
func.func @static_sizes(%x: tensor<?x4xf32>, %y: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %y : (tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Sizes that StableHLO computes on tensors are index arithmetic on the sizes of arguments.
// CHECK-LABEL: @computed_sizes(
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %c0
// CHECK: %[[TWICE:.*]] = arith.muli %[[N]], %c2
// CHECK: %[[MORE:.*]] = arith.addi %[[TWICE]], %c1
// CHECK-NOT: tensor.extract
// CHECK-NOT: cf.assert
// CHECK: tensor.empty(%[[MORE]]) : tensor<?x4xi32>
func.func @computed_sizes(%x: tensor<?xf32>) -> tensor<?x4xi32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0 = stablehlo.multiply %n, %two : tensor<i32>
  %1 = stablehlo.add %0, %one : tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.concatenate %2, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.dynamic_iota %3, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
  return %4 : tensor<?x4xi32>
}

// -----

// A size of unknown origin is checked.
// CHECK-LABEL: @loaded_size(
// CHECK: %[[LOADED:.*]] = tensor.extract %{{.*}}[%c0]
// CHECK: %[[N:.*]] = arith.index_cast %[[LOADED]] : i32 to index
// CHECK: %[[IS_SIZE:.*]] = arith.cmpi sge, %[[N]], %c0
// CHECK: cf.assert %[[IS_SIZE]], "'stablehlo.dynamic_iota' op expected element 0 of operand 0 to be at least 0"
// CHECK: tensor.empty(%[[N]]) : tensor<?xf32>
func.func @loaded_size(%shape: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Groups of dimensions with as many elements are collapsed and expanded, without assertions.
// CHECK-LABEL: @heads(
// CHECK-NOT: cf.assert
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] output_shape [%{{.*}}, %{{.*}}, 4, 3] : tensor<?x?x12xf32> into tensor<?x?x4x3xf32>
// CHECK-NOT: cf.assert
// CHECK: return
func.func @heads(%x: tensor<?x?x12xf32>) -> tensor<?x?x4x3xf32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x12xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x12xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %c = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %shape = stablehlo.concatenate %b1, %s1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<4xi32>
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x?x12xf32>, tensor<4xi32>) -> tensor<?x?x4x3xf32>
  return %0 : tensor<?x?x4x3xf32>
}

// -----

// CHECK-LABEL: @any_reshape(
// CHECK: cf.assert {{.*}} "'stablehlo.dynamic_reshape' op expected the number of elements to equal that of the result"
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1]] : tensor<?x4xf32> into tensor<?xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]]
func.func @any_reshape(%x: tensor<?x4xf32>, %shape: tensor<2xi32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// Where only a run determines which dimension is repeated, the index is selected.
// CHECK-LABEL: @maybe_repeated(
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: cf.assert {{.*}} "'stablehlo.dynamic_broadcast_in_dim' op expected dimension 0 of operand 0 to equal 1 or dimension 0 of the result"
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[AT:.*]] = arith.select %[[ONE]], %c0, %[[I]]
// CHECK: tensor.extract %{{.*}}[%[[AT]]]
func.func @maybe_repeated(%x: tensor<?xf32>, %shape: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [0] : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK: #[[$REPEAT:.*]] = affine_map<(d0) -> (0)>
// CHECK-LABEL: @repeated(
// CHECK: cf.assert {{.*}} "'stablehlo.dynamic_broadcast_in_dim' op expected dimension 0 of operand 0 to equal 1"
// CHECK: linalg.generic {indexing_maps = [#[[$REPEAT]], #{{.*}}]
func.func @repeated(%x: tensor<?xf32>, %shape: tensor<1xi32>) -> tensor<?xf32> {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %shape) {broadcast_dimensions = array<i64: 0>,
    known_expanding_dimensions = array<i64: 0>} : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK-LABEL: @product(
// CHECK: cf.assert {{.*}} "'stablehlo.dot_general' op expected dimension 2 of operand 0 to equal 8"
// CHECK: %[[M:.*]] = arith.muli
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
// CHECK: tensor.empty(%[[M]]) : tensor<?x16xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [%{{.*}}, %{{.*}}, 16]
func.func @product(%x: tensor<?x?x?xf32>, %w: tensor<8x16xf32>) -> tensor<?x?x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0]
    : (tensor<?x?x?xf32>, tensor<8x16xf32>) -> tensor<?x?x16xf32>
  return %0 : tensor<?x?x16xf32>
}

// -----

// CHECK-LABEL: @limits(
// CHECK: cf.assert {{.*}} "'stablehlo.real_dynamic_slice' op expected the start in dimension 0 to be at least 0"
// CHECK: cf.assert {{.*}} "'stablehlo.real_dynamic_slice' op expected the limit in dimension 0 to be at least the start in dimension 0"
// CHECK: cf.assert {{.*}} "'stablehlo.real_dynamic_slice' op expected the limit in dimension 0 to be at most dimension 0 of operand 0"
// CHECK: cf.assert {{.*}} "'stablehlo.real_dynamic_slice' op expected the stride in dimension 0 to be at least 1"
// CHECK: %[[LENGTH:.*]] = arith.subi
// CHECK: %[[SIZE:.*]] = arith.ceildivsi %[[LENGTH]]
// CHECK: tensor.extract_slice %{{.*}}[%{{.*}}] [%[[SIZE]]] [%{{.*}}] : tensor<?xf32> to tensor<?xf32>
func.func @limits(%x: tensor<?xf32>, %start: tensor<1xi32>, %limit: tensor<1xi32>, %stride: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %stride
    : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Slices of a table by indices of any number; the rows have a static size.
// CHECK-LABEL: @rows(
// CHECK: cf.assert {{.*}} "'stablehlo.gather' op expected the slice size in dimension 0, which is 1, to be at most dimension 0 of operand 0"
func.func @rows(%table: tensor<?x8xf32>, %indices: tensor<?x1xi32>) -> tensor<?x8xf32> {
  %0 = "stablehlo.gather"(%table, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 8>}> : (tensor<?x8xf32>, tensor<?x1xi32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Bounds are checked, and code is made for any size.
// CHECK-LABEL: func.func @bounds
// CHECK-SAME: (%[[A:.*]]: tensor<5x?xf16>) -> tensor<5x?xf16>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[A]], %c1
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[SIZE]], %c7
// CHECK: cf.assert %[[FITS]], "dimension 1 of argument 0 is larger than its bound, 7"
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}
// CHECK: cf.assert %{{.*}}, "dimension 1 of result 0 is larger than its bound, 6"
// CHECK: return
func.func @bounds(%a: tensor<5x?xf16, #stablehlo.bounds<?, 7>>) -> tensor<5x?xf16, #stablehlo.bounds<?, 6>> {
  %0 = stablehlo.add %a, %a : (tensor<5x?xf16, #stablehlo.bounds<?, 7>>, tensor<5x?xf16, #stablehlo.bounds<?, 7>>) -> tensor<5x?xf16, #stablehlo.bounds<?, 6>>
  return %0 : tensor<5x?xf16, #stablehlo.bounds<?, 6>>
}
