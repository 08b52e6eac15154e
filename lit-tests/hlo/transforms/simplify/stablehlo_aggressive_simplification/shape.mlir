// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// CHECK-LABEL: func.func @broadcasts
// CHECK-SAME: %[[X:.*]]: tensor<4x2xf32>
// CHECK-DAG: %[[RESHAPE:.*]] = stablehlo.reshape %[[X]] : (tensor<4x2xf32>) -> tensor<4x1x2xf32>
// CHECK-DAG: %[[TRANSPOSE:.*]] = stablehlo.transpose %[[X]], dims = [1, 0] {mhlo.sharding = "s"} : (tensor<4x2xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[GROWS:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [1, 2] : (tensor<4x2xf32>) -> tensor<3x4x2xf32>
// CHECK: return %[[X]], %[[RESHAPE]], %[[TRANSPOSE]], %[[GROWS]]
func.func @broadcasts(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x1x2xf32>, tensor<2x4xf32>, tensor<3x4x2xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<4x2xf32>) -> tensor<4x1x2xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [1, 0] {mhlo.sharding = "s"} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<4x2xf32>) -> tensor<3x4x2xf32>
  return %0, %1, %2, %3 : tensor<4x2xf32>, tensor<4x1x2xf32>, tensor<2x4xf32>, tensor<3x4x2xf32>
}

// The permutation of a transposition is the inverse of the broadcast's.
// CHECK-LABEL: func.func @inverse_permutation
// CHECK: stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
func.func @inverse_permutation(%x: tensor<2x3x5xf32>) -> tensor<5x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2, 0] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
  return %0 : tensor<5x2x3xf32>
}

// A reshape within is cheaper than one broadcast; anything else is merged.
// CHECK-LABEL: func.func @broadcasts_of_broadcasts
// CHECK: %[[MERGED:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<3xf32>) -> tensor<7x2x3xf32>
// CHECK: %[[RESHAPE:.*]] = stablehlo.reshape %arg0 : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK: %[[OUTER:.*]] = stablehlo.broadcast_in_dim %[[RESHAPE]], dims = [0, 1] : (tensor<1x3xf32>) -> tensor<6x3xf32>
// CHECK: return %[[MERGED]], %[[OUTER]]
func.func @broadcasts_of_broadcasts(%x: tensor<3xf32>) -> (tensor<7x2x3xf32>, tensor<6x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<7x2x3xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<6x3xf32>
  return %1, %3 : tensor<7x2x3xf32>, tensor<6x3xf32>
}

// A bound does not say how many elements there are.
// CHECK-LABEL: func.func @bounded
// CHECK: stablehlo.broadcast_in_dim
func.func @bounded(%x: tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<1x?xf32, #stablehlo.bounds<?, 8>> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<1x?xf32, #stablehlo.bounds<?, 8>>
  return %0 : tensor<1x?xf32, #stablehlo.bounds<?, 8>>
}

// CHECK-LABEL: func.func @iotas
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<1x3xbf16>
// CHECK-DAG: %[[COMPLEX:.*]] = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<1xcomplex<f64>>
// CHECK: %[[VECTOR:.*]] = stablehlo.iota dim = 0 : tensor<3xui16>
// CHECK: %[[SOURCE:.*]] = stablehlo.iota dim = 0 : tensor<3xui16>
// CHECK: %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[SOURCE]], dims = [1] : (tensor<3xui16>) -> tensor<2x3xui16>
// CHECK: return %[[ZERO]], %[[COMPLEX]], %[[VECTOR]], %[[WIDE]]
func.func @iotas() -> (tensor<1x3xbf16>, tensor<1xcomplex<f64>>, tensor<3xui16>, tensor<2x3xui16>) {
  %0 = stablehlo.iota dim = 0 : tensor<1x3xbf16>
  %1 = stablehlo.iota dim = 0 : tensor<1xcomplex<f64>>
  %2 = stablehlo.iota dim = 0 : tensor<3xui16>
  %3 = stablehlo.iota dim = 1 : tensor<2x3xui16>
  return %0, %1, %2, %3 : tensor<1x3xbf16>, tensor<1xcomplex<f64>>, tensor<3xui16>, tensor<2x3xui16>
}

// CHECK-LABEL: func.func @reshapes
// CHECK: %[[ONE:.*]] = stablehlo.reshape %arg0 : (tensor<6xi8>) -> tensor<3x2xi8>
// CHECK: return %arg0, %[[ONE]], %arg0
func.func @reshapes(%x: tensor<6xi8>) -> (tensor<6xi8>, tensor<3x2xi8>, tensor<6xi8>) {
  %0 = stablehlo.reshape %x : (tensor<6xi8>) -> tensor<6xi8>
  %1 = stablehlo.reshape %x : (tensor<6xi8>) -> tensor<2x3xi8>
  %2 = stablehlo.reshape %1 : (tensor<2x3xi8>) -> tensor<3x2xi8>
  %3 = stablehlo.reshape %1 : (tensor<2x3xi8>) -> tensor<6xi8>
  return %0, %2, %3 : tensor<6xi8>, tensor<3x2xi8>, tensor<6xi8>
}

// CHECK-LABEL: func.func @reversals
// CHECK-SAME: %[[X:.*]]: tensor<1x3xi8>, %[[E:.*]]: tensor<4x0xi8>, %[[D:.*]]: tensor<0x?xi8>
// CHECK-DAG: %[[SPLAT:.*]] = stablehlo.constant dense<5> : tensor<3xi8>
// CHECK-DAG: %[[KEPT:.*]] = stablehlo.reverse %[[X]], dims = [1] : tensor<1x3xi8>
// CHECK-DAG: %[[DYNAMIC:.*]] = stablehlo.reverse %[[D]], dims = [1] : tensor<0x?xi8>
// CHECK: return %[[X]], %[[X]], %[[SPLAT]], %[[KEPT]], %[[DYNAMIC]]
func.func @reversals(%x: tensor<1x3xi8>, %e: tensor<4x0xi8>, %d: tensor<0x?xi8>)
    -> (tensor<1x3xi8>, tensor<1x3xi8>, tensor<3xi8>, tensor<1x3xi8>, tensor<0x?xi8>) {
  %c = stablehlo.constant dense<5> : tensor<3xi8>
  %0 = stablehlo.reverse %x, dims = [] : tensor<1x3xi8>
  %1 = stablehlo.reverse %x, dims = [0] : tensor<1x3xi8>
  %2 = stablehlo.reverse %c, dims = [0] : tensor<3xi8>
  %3 = stablehlo.reverse %x, dims = [1] : tensor<1x3xi8>
  %4 = stablehlo.reverse %d, dims = [1] : tensor<0x?xi8>
  return %0, %1, %2, %3, %4 : tensor<1x3xi8>, tensor<1x3xi8>, tensor<3xi8>, tensor<1x3xi8>, tensor<0x?xi8>
}

// CHECK-LABEL: func.func @transpositions
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<1x3x4xf32>
// CHECK-DAG: %[[TWICE:.*]] = stablehlo.transpose %[[X]], dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-DAG: %[[MOVES_ONE:.*]] = stablehlo.reshape %[[Y]] : (tensor<1x3x4xf32>) -> tensor<3x1x4xf32>
// CHECK: return %[[X]], %[[TWICE]], %[[MOVES_ONE]]
func.func @transpositions(%x: tensor<2x3x4xf32>, %y: tensor<1x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<3x1x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 1, 2] : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %2 = stablehlo.transpose %1, dims = [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %3 = stablehlo.transpose %y, dims = [1, 0, 2] : (tensor<1x3x4xf32>) -> tensor<3x1x4xf32>
  return %0, %2, %3 : tensor<2x3x4xf32>, tensor<4x2x3xf32>, tensor<3x1x4xf32>
}

// Two broadcasts are one, though the second adds nothing but a dimension; what
// is said of the second is said of it.
// CHECK-LABEL: func.func @broadcast_to_one_more
// CHECK-NEXT: %[[BOTH:.*]] = stablehlo.broadcast_in_dim %arg0, dims = [1] {mhlo.sharding = "{replicated}"} : (tensor<5xf64>) -> tensor<1x5x6xf64>
// CHECK-NEXT: return %[[BOTH]]
func.func @broadcast_to_one_more(%x: tensor<5xf64>) -> tensor<1x5x6xf64> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] {mhlo.sharding = "{maximal device=0}"} : (tensor<5xf64>) -> tensor<5x6xf64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] {mhlo.sharding = "{replicated}"} : (tensor<5x6xf64>) -> tensor<1x5x6xf64>
  return %1 : tensor<1x5x6xf64>
}

