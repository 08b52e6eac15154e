// RUN: halo-opt %s --chlo-legalize-to-stablehlo | FileCheck %s

// A dimension of size one takes the size of the other operand, which only the
// run of the program tells.
// CHECK-LABEL: func.func @broadcast
// CHECK: %[[A_32:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: %[[A:.*]] = stablehlo.convert %[[A_32]] : (tensor<i32>) -> tensor<i64>
// CHECK: %[[ROWS_32:.*]] = stablehlo.get_dimension_size %arg1, dim = 0
// CHECK: %[[ROWS:.*]] = stablehlo.convert %[[ROWS_32]]
// CHECK: %[[B_32:.*]] = stablehlo.get_dimension_size %arg1, dim = 1
// CHECK: %[[B:.*]] = stablehlo.convert %[[B_32]]
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i64>
// CHECK: %[[GROWS:.*]] = stablehlo.compare EQ, %[[A]], %[[ONE]]
// CHECK: %[[COLUMNS:.*]] = stablehlo.select %[[GROWS]], %[[B]], %[[A]]
// CHECK: %[[ROWS_1:.*]] = stablehlo.reshape %[[ROWS]] : (tensor<i64>) -> tensor<1xi64>
// CHECK: %[[COLUMNS_1:.*]] = stablehlo.reshape %[[COLUMNS]] : (tensor<i64>) -> tensor<1xi64>
// CHECK: %[[SHAPE:.*]] = stablehlo.concatenate %[[ROWS_1]], %[[COLUMNS_1]], dim = 0
// CHECK: %[[WIDE:.*]] = stablehlo.dynamic_broadcast_in_dim %arg0, %[[SHAPE]], dims = [1] : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
// CHECK: stablehlo.add %[[WIDE]], %{{.*}} : tensor<?x?xf32>
func.func @broadcast(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A size that one operand knows is the common one, unless it is one.
// CHECK-LABEL: func.func @half_known
// CHECK-NOT: stablehlo.compare
// CHECK: stablehlo.dynamic_broadcast_in_dim %arg0, %{{.*}}, dims = [0] : (tensor<?xf32>, tensor<1xi64>) -> tensor<4xf32>
// CHECK: stablehlo.subtract
func.func @half_known(%a: tensor<?xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.broadcast_subtract %a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An operand that has the common shape stays as it is.
// CHECK-LABEL: func.func @larger
// CHECK: %[[WIDE:.*]] = stablehlo.dynamic_broadcast_in_dim %arg1, %{{.*}}, dims = [1] : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
// CHECK-NEXT: stablehlo.add %arg0, %[[WIDE]] : tensor<?x4xf32>
func.func @larger(%a: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Sizes with the same bounds are the same.
// CHECK-LABEL: func.func @bounded
// CHECK-NEXT: stablehlo.multiply %arg0, %arg1 : tensor<?xf32, #stablehlo.bounds<4>>
func.func @bounded(%a: tensor<?xf32, #stablehlo.bounds<4>>, %b: tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = chlo.broadcast_multiply %a, %b : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}

// Constants of a formula take the shape that the operand has.
// CHECK-LABEL: func.func @function
// CHECK-DAG: %[[SCALAR:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[SIZE:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK: %[[SHAPE:.*]] = stablehlo.concatenate
// CHECK: %[[FILLED:.*]] = stablehlo.dynamic_broadcast_in_dim %[[SCALAR]], %[[SHAPE]], dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x3xf32>
// CHECK: stablehlo.atan2 %arg0, %[[FILLED]] : tensor<?x3xf32>
func.func @function(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = chlo.atan %a : tensor<?x3xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// Where bounds are known, constants are made as large as the operand can be and
// cut off.
// CHECK-LABEL: func.func @bounded_function
// CHECK-NEXT: %[[SCALAR:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[MOST:.*]] = stablehlo.broadcast_in_dim %[[SCALAR]], dims = [] : (tensor<f32>) -> tensor<4x3x5xf32>
// CHECK-NEXT: %[[FIRST:.*]] = stablehlo.get_dimension_size %arg0, dim = 0
// CHECK-NEXT: %[[CUT:.*]] = stablehlo.set_dimension_size %[[MOST]], %[[FIRST]], dim = 0 : (tensor<4x3x5xf32>, tensor<i32>) -> tensor<?x3x5xf32, #stablehlo.bounds<4, ?, ?>>
// CHECK-NEXT: %[[LAST:.*]] = stablehlo.get_dimension_size %arg0, dim = 2
// CHECK-NEXT: %[[ONE:.*]] = stablehlo.set_dimension_size %[[CUT]], %[[LAST]], dim = 2 {{.*}} -> tensor<?x3x?xf32, #stablehlo.bounds<4, ?, 5>>
// CHECK-NEXT: stablehlo.atan2 %arg0, %[[ONE]]
func.func @bounded_function(%a: tensor<?x3x?xf32, #stablehlo.bounds<4, ?, 5>>) -> tensor<?x3x?xf32, #stablehlo.bounds<4, ?, 5>> {
  %0 = chlo.atan %a : tensor<?x3x?xf32, #stablehlo.bounds<4, ?, 5>> -> tensor<?x3x?xf32, #stablehlo.bounds<4, ?, 5>>
  return %0 : tensor<?x3x?xf32, #stablehlo.bounds<4, ?, 5>>
}

// CHECK-LABEL: func.func @constant_like
// CHECK: %[[SCALAR:.*]] = stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK: stablehlo.dynamic_broadcast_in_dim %[[SCALAR]], %{{.*}}, dims = [] : (tensor<complex<f32>>, tensor<1xi64>) -> tensor<?xcomplex<f32>>
func.func @constant_like(%a: tensor<?xi8>) -> tensor<?xcomplex<f32>> {
  %0 = "chlo.constant_like"(%a) {value = #complex.number<:f32 1.0, 2.0> : complex<f32>} : (tensor<?xi8>) -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// CHECK-LABEL: func.func @top_k
// CHECK: %[[INDICES:.*]] = stablehlo.dynamic_iota %{{.*}}, dim = 1 : (tensor<2xi64>) -> tensor<?x7xi32>
// CHECK: %[[SORTED:.*]]:2 = "stablehlo.sort"(%arg0, %[[INDICES]])
// CHECK: stablehlo.real_dynamic_slice %[[SORTED]]#0
// CHECK: stablehlo.real_dynamic_slice %[[SORTED]]#1
func.func @top_k(%a: tensor<?x7xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  %0:2 = chlo.top_k(%a, k = 3) : tensor<?x7xf32> -> (tensor<?x3xf32>, tensor<?x3xi32>)
  return %0#0, %0#1 : tensor<?x3xf32>, tensor<?x3xi32>
}

// CHECK-LABEL: func.func @scan
// CHECK: %[[LENGTH_32:.*]] = stablehlo.get_dimension_size %arg0, dim = 1
// CHECK: %[[LENGTH:.*]] = stablehlo.convert %[[LENGTH_32]] : (tensor<i32>) -> tensor<i64>
// CHECK: %[[LOOP:.*]]:3 = stablehlo.while
// CHECK: stablehlo.compare LT, %{{.*}}, %[[LENGTH]]
// CHECK: stablehlo.real_dynamic_slice %arg0, %{{.*}} -> tensor<?x1xi32>
// CHECK: stablehlo.dynamic_reshape %{{.*}} : (tensor<?x1xi32>, tensor<1xi64>) -> tensor<?xi32>
// CHECK: stablehlo.dynamic_update_slice
// CHECK: return %[[LOOP]]#2, %[[LOOP]]#1
func.func @scan(%input: tensor<?x?xi32>, %init: tensor<?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>) {
  %0:2 = chlo.scan(%input) inits(%init) dimension=1 {
  ^bb0(%a: tensor<?xi32>, %b: tensor<?xi32>):
    %1 = stablehlo.add %a, %b : tensor<?xi32>
    stablehlo.return %1, %1 : tensor<?xi32>, tensor<?xi32>
  } : (tensor<?x?xi32>, tensor<?xi32>) -> (tensor<?x?xi32>, tensor<?xi32>)
  return %0#0, %0#1 : tensor<?x?xi32>, tensor<?xi32>
}
