// RUN: halo-opt %s --halo-test-infer --split-input-file | FileCheck %s

// Expected types follow from the specification, sections "Dynamism" and those
// of the ops.

// CHECK-LABEL: @elementwise
func.func @elementwise(%a: tensor<?x3xf32>, %b: tensor<7x?xf32>, %c: tensor<?x?xcomplex<f32>, #stablehlo.bounds<8, ?>>, %d: tensor<?x3xf32, #stablehlo.bounds<6, ?>>) {
  // CHECK: stablehlo.add {{.*}}inferred = [tensor<7x3xf32>], refined = [tensor<7x3xf32>]
  %0 = stablehlo.add %a, %b : (tensor<?x3xf32>, tensor<7x?xf32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.multiply {{.*}}inferred = [tensor<?x3xf32, #stablehlo.bounds<6, ?>>]
  %1 = stablehlo.multiply %a, %d : (tensor<?x3xf32>, tensor<?x3xf32, #stablehlo.bounds<6, ?>>) -> tensor<?x3xf32>
  // CHECK: stablehlo.abs {{.*}}inferred = [tensor<?x?xf32, #stablehlo.bounds<8, ?>>]
  %2 = stablehlo.abs %c : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<8, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<8, ?>>
  // CHECK: stablehlo.compare {{.*}}inferred = [tensor<7x3xi1>]
  %3 = stablehlo.compare LT, %a, %b : (tensor<?x3xf32>, tensor<7x?xf32>) -> tensor<?x3xi1>
  // CHECK: stablehlo.complex {{.*}}inferred = [tensor<7x3xcomplex<f32>>]
  %4 = stablehlo.complex %a, %b : (tensor<?x3xf32>, tensor<7x?xf32>) -> tensor<7x3xcomplex<f32>>
  // CHECK: stablehlo.convert {{.*}}inferred = "has results whose types do not follow from its operands", refined = [tensor<7x?xi32>]
  %5 = stablehlo.convert %b : (tensor<7x?xf32>) -> tensor<?x?xi32>
  // CHECK: stablehlo.is_finite {{.*}}inferred = [tensor<7x?xi1>]
  %6 = stablehlo.is_finite %b : (tensor<7x?xf32>) -> tensor<7x?xi1>
  return
}

// -----

// CHECK-LABEL: @slicing
func.func @slicing(%a: tensor<3x?x?xi32, #stablehlo.bounds<?, 4, ?>>, %b: tensor<5x4x2xi32>, %v: tensor<i32>, %i: tensor<i64>, %x: tensor<2x5xf32>, %j: tensor<3x4xi32>) {
  // CHECK: stablehlo.slice {{.*}}inferred = [tensor<1x2x2xi32>]
  %0 = "stablehlo.slice"(%a) {start_indices = array<i64: 1, 0, 0>, limit_indices = array<i64: 2, 4, 4>, strides = array<i64: 1, 2, 2>} : (tensor<3x?x?xi32, #stablehlo.bounds<?, 4, ?>>) -> tensor<1x2x2xi32>
  // CHECK: stablehlo.concatenate {{.*}}inferred = [tensor<8x4x2xi32>]
  %1 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3x?x?xi32, #stablehlo.bounds<?, 4, ?>>, tensor<5x4x2xi32>) -> tensor<8x4x2xi32>
  // CHECK: stablehlo.concatenate {{.*}}inferred = [tensor<3x?x?xi32, #stablehlo.bounds<?, 8, ?>>]
  %2 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<3x?x?xi32, #stablehlo.bounds<?, 4, ?>>, tensor<3x?x?xi32, #stablehlo.bounds<?, 4, ?>>) -> tensor<3x?x?xi32>
  // CHECK: stablehlo.pad {{.*}}inferred = [tensor<4x?x?xi32, #stablehlo.bounds<?, 9, ?>>]
  %3 = stablehlo.pad %a, %v, low = [1, 1, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<3x?x?xi32, #stablehlo.bounds<?, 4, ?>>, tensor<i32>) -> tensor<4x?x?xi32>
  // CHECK: stablehlo.dynamic_slice {{.*}}inferred = [tensor<1x2x2xi32>]
  %4 = stablehlo.dynamic_slice %b, %i, %i, %i, sizes = [1, 2, 2] : (tensor<5x4x2xi32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x2x2xi32>
  // CHECK: stablehlo.get_dimension_size {{.*}}inferred = [tensor<i32>]
  %5 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<3x?x?xi32, #stablehlo.bounds<?, 4, ?>>) -> tensor<i32>
  // CHECK: stablehlo.set_dimension_size {{.*}}inferred = [tensor<5x?x2xi32, #stablehlo.bounds<?, 4, ?>>]
  %6 = stablehlo.set_dimension_size %b, %v, dim = 1 : (tensor<5x4x2xi32>, tensor<i32>) -> tensor<5x?x2xi32, #stablehlo.bounds<?, 4, ?>>
  // CHECK: stablehlo.torch_index_select{{.*}}inferred = [tensor<2x3x4xf32>]
  %7 = "stablehlo.torch_index_select"(%x, %j) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x5xf32>, tensor<3x4xi32>) -> tensor<2x3x4xf32>
  return
}

// -----

// CHECK-LABEL: @shape
func.func @shape(%a: tensor<2x?xf32, #stablehlo.bounds<?, 6>>) {
  // CHECK: stablehlo.transpose {{.*}}inferred = [tensor<?x2xf32, #stablehlo.bounds<6, ?>>]
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<?x2xf32, #stablehlo.bounds<6, ?>>
  // CHECK: stablehlo.broadcast {{.*}}inferred = [tensor<4x2x?xf32, #stablehlo.bounds<?, ?, 6>>]
  %1 = "stablehlo.broadcast"(%a) {broadcast_sizes = array<i64: 4>} : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<4x2x?xf32>
  // CHECK: stablehlo.bitcast_convert {{.*}}inferred = "has no result 0", refined = [tensor<2x?x4xi8, #stablehlo.bounds<?, 6, ?>>]
  %2 = stablehlo.bitcast_convert %a : (tensor<2x?xf32, #stablehlo.bounds<?, 6>>) -> tensor<2x?x4xi8>
  return
}

// -----

// CHECK-LABEL: @regions
func.func @regions(%a: tensor<?x4xf32, #stablehlo.bounds<5, ?>>, %z: tensor<f32>, %p: tensor<i1>, %s: tensor<3xf32>, %d: tensor<?xf32, #stablehlo.bounds<4>>) {
  // CHECK: stablehlo.reduce{{.*}}inferred = [tensor<?xf32, #stablehlo.bounds<5>>]
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<f32>) -> tensor<?xf32>
  // CHECK: stablehlo.reduce_window
  // CHECK: inferred = [tensor<?x3xf32, #stablehlo.bounds<4, ?>>]
  %1 = "stablehlo.reduce_window"(%a, %z) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %9 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<f32>) -> tensor<?x3xf32>
  // CHECK: stablehlo.if
  // CHECK: inferred = [tensor<?xf32, #stablehlo.bounds<4>>]
  %2 = "stablehlo.if"(%p) ({
    stablehlo.return %s : tensor<3xf32>
  }, {
    stablehlo.return %d : tensor<?xf32, #stablehlo.bounds<4>>
  }) : (tensor<i1>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: @linear_algebra
func.func @linear_algebra(%a: tensor<2x?x5xf32>, %b: tensor<2x5x7xf32>, %c: tensor<3x9xf32>) {
  // CHECK: stablehlo.dot_general {{.*}}inferred = "has results whose types do not follow from its operands", refined = [tensor<2x?x7xf32>]
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x?x5xf32>, tensor<2x5x7xf32>) -> tensor<?x?x?xf32>
  // CHECK: stablehlo.fft {{.*}}inferred = [tensor<3x5xcomplex<f32>>]
  %1 = stablehlo.fft %c, type = RFFT, length = [9] : (tensor<3x9xf32>) -> tensor<3x5xcomplex<f32>>
  return
}

// -----

// CHECK-LABEL: @dynamic
func.func @dynamic(%a: tensor<?xf32>, %i: tensor<1xi32>, %m: tensor<6xf32>) {
  %c = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %s = stablehlo.constant dense<4> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  // CHECK: stablehlo.dynamic_reshape {{.*}}refined = [tensor<2x3xf32>]
  %0 = stablehlo.dynamic_reshape %a, %c : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_iota {{.*}}refined = [tensor<2x3xi32>]
  %1 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<2xi64>) -> tensor<?x3xi32>
  %2 = stablehlo.add %i, %s : tensor<1xi32>
  // CHECK: stablehlo.real_dynamic_slice {{.*}}refined = [tensor<4xf32>]
  %3 = stablehlo.real_dynamic_slice %m, %i, %2, %one : (tensor<6xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

// CHECK-LABEL: @chlo
func.func @chlo(%a: tensor<?x1xf32, #stablehlo.bounds<10, ?>>, %b: tensor<1x5xf32>, %c: tensor<?xf32>, %u: tensor<*xf32>, %t: tensor<?x16xf32>) {
  // CHECK: chlo.broadcast_add {{.*}}inferred = [tensor<?x5xf32, #stablehlo.bounds<10, ?>>]
  %0 = chlo.broadcast_add %a, %b : (tensor<?x1xf32, #stablehlo.bounds<10, ?>>, tensor<1x5xf32>) -> tensor<?x5xf32>
  // CHECK: chlo.broadcast_compare {{.*}}inferred = [tensor<1x5xi1>]
  %1 = chlo.broadcast_compare %b, %c {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<1x5xf32>, tensor<?xf32>) -> tensor<1x5xi1>
  // CHECK: chlo.erf {{.*}}inferred = [tensor<*xf32>]
  %2 = chlo.erf %u : tensor<*xf32> -> tensor<*xf32>
  // CHECK: chlo.top_k{{.*}}inferred = [tensor<?x8xf32>, tensor<?x8xi32>]
  %3:2 = chlo.top_k(%t, k = 8) : tensor<?x16xf32> -> (tensor<?x8xf32>, tensor<?x8xi32>)
  // CHECK: chlo.is_inf {{.*}}inferred = [tensor<?xi1>]
  %4 = chlo.is_inf %c : tensor<?xf32> -> tensor<?xi1>
  // CHECK: chlo.constant_like{{.*}}inferred = [tensor<?xi32>]
  %5 = "chlo.constant_like"(%c) {value = 1 : i32} : (tensor<?xf32>) -> tensor<?xi32>
  return
}

// -----

// CHECK-LABEL: @communication
func.func @communication(%a: tensor<4x?xf32, #stablehlo.bounds<?, 8>>, %t: !stablehlo.token) {
  // CHECK: stablehlo.all_to_all{{.*}}inferred = [tensor<2x?xf32, #stablehlo.bounds<?, 16>>]
  %0 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x?xf32, #stablehlo.bounds<?, 8>>) -> tensor<2x?xf32>
  // CHECK: stablehlo.after_all {{.*}}inferred = [!stablehlo.token]
  %1 = stablehlo.after_all %t, %t : !stablehlo.token
  // CHECK: stablehlo.replica_id {{.*}}inferred = [tensor<ui32>]
  %2 = stablehlo.replica_id : tensor<ui32>
  // CHECK: stablehlo.tuple {{.*}}inferred = [tuple<tensor<ui32>, !stablehlo.token>]
  %3 = stablehlo.tuple %2, %1 : tuple<tensor<ui32>, !stablehlo.token>
  // CHECK: stablehlo.get_tuple_element {{.*}}inferred = [tensor<ui32>]
  %4 = stablehlo.get_tuple_element %3[0] : (tuple<tensor<ui32>, !stablehlo.token>) -> tensor<ui32>
  return
}
