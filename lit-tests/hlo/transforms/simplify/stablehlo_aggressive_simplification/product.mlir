// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// CHECK-LABEL: func.func @transpose_of_product
//  CHECK-SAME:   (%[[X:.*]]: tensor<2x5x3xf32>, %[[Y:.*]]: tensor<2x4x5xf32>)
//       CHECK:   %[[D:.*]] = stablehlo.dot_general %[[Y]], %[[X]], batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x4x5xf32>, tensor<2x5x3xf32>) -> tensor<2x4x3xf32>
//       CHECK:   return %[[D]]
func.func @transpose_of_product(%x: tensor<2x5x3xf32>, %y: tensor<2x4x5xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [HIGHEST, DEFAULT]
    : (tensor<2x5x3xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  return %1 : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @transpose_of_product_with_algorithm
//       CHECK:   stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1], algorithm = <lhs_precision_type = f8E5M2, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
//   CHECK-NOT:   transpose
func.func @transpose_of_product_with_algorithm(%x: tensor<3x5xf32>, %y: tensor<5x4xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E5M2, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
    : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// The dimensions of two columns are exchanged, too: the last dimension stays in place.

// CHECK-LABEL: func.func @transpose_of_columns
//       CHECK:   %[[D:.*]] = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1] : (tensor<5x4x2xf32>, tensor<3x5xf32>) -> tensor<4x2x3xf32>
//       CHECK:   stablehlo.transpose %[[D]], dims = [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
func.func @transpose_of_columns(%x: tensor<3x5xf32>, %y: tensor<5x4x2xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x4x2xf32>) -> tensor<3x4x2xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<3x4x2xf32>) -> tensor<2x4x3xf32>
  return %1 : tensor<2x4x3xf32>
}

// Scores of attention whose heads share keys, as `jax.numpy.einsum` writes them.

// CHECK-LABEL: func.func @transpose_of_scores
//       CHECK:   %[[D:.*]] = stablehlo.dot_general %arg1, %arg0, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<2x6x4x3x8xf32>, tensor<2x5x4x8xf32>) -> tensor<2x4x6x3x5xf32>
//       CHECK:   stablehlo.transpose %[[D]], dims = [0, 1, 3, 2, 4] : (tensor<2x4x6x3x5xf32>) -> tensor<2x4x3x6x5xf32>
func.func @transpose_of_scores(%k: tensor<2x5x4x8xf32>, %q: tensor<2x6x4x3x8xf32>) -> tensor<2x4x3x6x5xf32> {
  %0 = stablehlo.dot_general %k, %q, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4]
    : (tensor<2x5x4x8xf32>, tensor<2x6x4x3x8xf32>) -> tensor<2x4x5x6x3xf32>
  %1 = stablehlo.transpose %0, dims = [0, 1, 4, 3, 2] : (tensor<2x4x5x6x3xf32>) -> tensor<2x4x3x6x5xf32>
  return %1 : tensor<2x4x3x6x5xf32>
}

// The last dimension is a column already.

// CHECK-LABEL: func.func @transpose_of_rows
//       CHECK:   stablehlo.dot_general %arg0, %arg1
//       CHECK:   stablehlo.transpose
func.func @transpose_of_rows(%x: tensor<3x2x5xf32>, %y: tensor<5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [2] x [0] : (tensor<3x2x5xf32>, tensor<5x4xf32>) -> tensor<3x2x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// A product with other users would be computed twice.

// CHECK-LABEL: func.func @transpose_of_product_with_users
//       CHECK:   %[[D:.*]] = stablehlo.dot_general
//       CHECK:   stablehlo.transpose %[[D]]
//   CHECK-NOT:   dot_general
func.func @transpose_of_product_with_users(%x: tensor<3x5xf32>, %y: tensor<5x4xf32>) -> (tensor<3x4xf32>, tensor<4x3xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<3x4xf32>, tensor<4x3xf32>
}

// Transpositions of factors are dimension numbers; the batch and the sums may be anywhere.

// CHECK-LABEL: func.func @product_of_transposes
//       CHECK:   %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, batching_dims = [1] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : (tensor<3x2x5xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
//   CHECK-NOT:   transpose
//       CHECK:   return %[[D]]
func.func @product_of_transposes(%x: tensor<3x2x5xf32>, %y: tensor<2x5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<3x2x5xf32>) -> tensor<2x5x3xf32>
  %1 = stablehlo.transpose %y, dims = [0, 2, 1] : (tensor<2x5x4xf32>) -> tensor<2x4x5xf32>
  %2 = stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [HIGHEST, DEFAULT]
    : (tensor<2x5x3xf32>, tensor<2x4x5xf32>) -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// Also where others read the transposition.

// CHECK-LABEL: func.func @product_of_shared_transpose
//       CHECK:   %[[T:.*]] = stablehlo.transpose %arg1
//       CHECK:   %[[D:.*]] = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [1]
//       CHECK:   return %[[D]], %[[T]]
func.func @product_of_shared_transpose(%x: tensor<3x5xf32>, %y: tensor<4x5xf32>) -> (tensor<3x4xf32>, tensor<5x4xf32>) {
  %0 = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  return %1, %0 : tensor<3x4xf32>, tensor<5x4xf32>
}

// The columns would have another order.

// CHECK-LABEL: func.func @product_of_exchanged_columns
//       CHECK:   %[[T:.*]] = stablehlo.transpose
//       CHECK:   stablehlo.dot_general %arg0, %[[T]]
func.func @product_of_exchanged_columns(%x: tensor<3x5xf32>, %y: tensor<5x2x4xf32>) -> tensor<3x4x2xf32> {
  %0 = stablehlo.transpose %y, dims = [0, 2, 1] : (tensor<5x2x4xf32>) -> tensor<5x4x2xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x4x2xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}
