// RUN: halo-opt %s --split-input-file --halo-split-long-sums | FileCheck %s

// CHECK-LABEL: func.func @vectors(
// CHECK-SAME: %[[A:.*]]: tensor<3x65536xf32>, %[[B:.*]]: tensor<65536x5xf32>
// CHECK: %[[LHS:.*]] = stablehlo.reshape %[[A]] : (tensor<3x65536xf32>) -> tensor<3x128x512xf32>
// CHECK: %[[RHS:.*]] = stablehlo.reshape %[[B]] : (tensor<65536x5xf32>) -> tensor<128x512x5xf32>
// CHECK: %[[PARTIAL:.*]] = stablehlo.dot_general %[[LHS]], %[[RHS]], batching_dims = [1] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST]
// CHECK-SAME: -> tensor<128x3x5xf32>
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[PARTIAL]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK: return %[[SUM]]
func.func @vectors(%a: tensor<3x65536xf32>, %b: tensor<65536x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<3x65536xf32>, tensor<65536x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

// A prime depth leaves terms over. Partial results of bf16 are f32.
// CHECK-LABEL: func.func @prime(
// CHECK: stablehlo.slice %{{.*}} [0:2, 0:19968]
// CHECK: stablehlo.dot_general {{.*}} -> tensor<39x2x4xf32>
// CHECK: stablehlo.reduce
// CHECK: stablehlo.slice %{{.*}} [0:2, 19968:20011]
// CHECK: stablehlo.dot_general {{.*}} -> tensor<2x4xf32>
// CHECK: stablehlo.add
// CHECK: stablehlo.convert {{.*}} -> tensor<2x4xbf16>
func.func @prime(%a: tensor<2x20011xbf16>, %b: tensor<20011x4xbf16>) -> tensor<2x4xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x20011xbf16>, tensor<20011x4xbf16>) -> tensor<2x4xbf16>
  return %0 : tensor<2x4xbf16>
}

// -----

// The dimensions of a batch and of a second contraction move behind that of the blocks.
// CHECK-LABEL: func.func @batch(
// CHECK: stablehlo.dot_general {{.*}} batching_dims = [1, 0] x [0, 2], contracting_dims = [2, 3] x [1, 4]
// CHECK-SAME: -> tensor<2048x6x2x3xf32>
func.func @batch(%a: tensor<6x32768x32x2xf32>, %b: tensor<32768x6x3x32xf32>) -> tensor<6x2x3xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [1, 2] x [0, 3] : (tensor<6x32768x32x2xf32>, tensor<32768x6x3x32xf32>) -> tensor<6x2x3xf32>
  return %0 : tensor<6x2x3xf32>
}

// -----

// Partial results would be as large as the operands; integers are exact.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: stablehlo.reduce
func.func @kept(%a: tensor<20000x20000xf32>, %b: tensor<3x65536xi32>, %c: tensor<65536x5xi32>) -> (tensor<20000x20000xf32>, tensor<3x5xi32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<20000x20000xf32>, tensor<20000x20000xf32>) -> tensor<20000x20000xf32>
  %1 = stablehlo.dot_general %b, %c, contracting_dims = [1] x [0] : (tensor<3x65536xi32>, tensor<65536x5xi32>) -> tensor<3x5xi32>
  return %0, %1 : tensor<20000x20000xf32>, tensor<3x5xi32>
}

// -----

// CHECK-LABEL: func.func @cumulative_sum(
// CHECK-SAME: %[[X:.*]]: tensor<2x5000xf32>
// CHECK: %[[BLOCKS:.*]] = stablehlo.reshape %[[X]] : (tensor<2x5000xf32>) -> tensor<2x10x500xf32>
// CHECK: %[[SUMS:.*]] = "stablehlo.reduce_window"(%[[BLOCKS]], %{{.*}}) <{padding = dense<{{\[\[}}0, 0], [0, 0], [499, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1, 500>}>
// CHECK: %[[LAST:.*]] = stablehlo.slice %[[SUMS]] [0:2, 0:10, 499:500]
// CHECK: %[[TOTALS:.*]] = stablehlo.reshape %[[LAST]] : (tensor<2x10x1xf32>) -> tensor<2x10xf32>
// CHECK: %[[RUNNING:.*]] = "stablehlo.reduce_window"(%[[TOTALS]], %{{.*}}) <{padding = dense<{{\[\[}}0, 0], [9, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 10>}>
// CHECK: %[[BEFORE:.*]] = stablehlo.pad %[[RUNNING]], %{{.*}}, low = [0, 1], high = [0, -1]
// CHECK: %[[SPREAD:.*]] = stablehlo.broadcast_in_dim %[[BEFORE]], dims = [0, 1] : (tensor<2x10xf32>) -> tensor<2x10x500xf32>
// CHECK: %[[ADDED:.*]] = stablehlo.add %[[SUMS]], %[[SPREAD]]
// CHECK: %[[ALL:.*]] = stablehlo.reshape %[[ADDED]] : (tensor<2x10x500xf32>) -> tensor<2x5000xf32>
// CHECK: return %[[ALL]]
func.func @cumulative_sum(%x: tensor<2x5000xf32>) -> tensor<2x5000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 1, 5000>, padding = dense<[[0, 0], [4999, 0]]> : tensor<2x2xi64>} : (tensor<2x5000xf32>, tensor<f32>) -> tensor<2x5000xf32>
  return %0 : tensor<2x5000xf32>
}

// -----

// From the end, along columns whose number is prime.
// CHECK-LABEL: func.func @reversed(
// CHECK: stablehlo.pad %{{.*}}, low = [15, 0], high = [0, 0]
// CHECK: stablehlo.slice %{{.*}} [0:4, 0:1, 0:3]
// CHECK: stablehlo.pad %{{.*}}, low = [-1, 0], high = [1, 0]
// CHECK: stablehlo.slice %{{.*}} [15:2048, 0:3]
func.func @reversed(%x: tensor<2033x3xf32>) -> tensor<2033x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2033, 1>, padding = dense<[[0, 2032], [0, 0]]> : tensor<2x2xi64>} : (tensor<2033x3xf32>, tensor<f32>) -> tensor<2033x3xf32>
  return %0 : tensor<2033x3xf32>
}

// -----

// Narrow floats are added in f32, of reductions and windows.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<7x3xbf16>) -> tensor<7x3xf32>
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[WIDE]] init: %{{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<7x3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK: stablehlo.convert %[[SUM]] : (tensor<3xf32>) -> tensor<3xbf16>
// CHECK: %[[SUMS:.*]] = "stablehlo.reduce_window"(%{{.*}}) <{
// CHECK-SAME: window_strides = array<i64: 2, 1>
// CHECK: (tensor<7x3xf32>, tensor<f32>) -> tensor<3x3xf32>
// CHECK: stablehlo.convert %[[SUMS]] : (tensor<3x3xf32>) -> tensor<3x3xbf16>
func.func @narrow(%x: tensor<7x3xbf16>) -> (tensor<3xbf16>, tensor<3x3xbf16>) {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7x3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  %1 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) {window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>} : (tensor<7x3xbf16>, tensor<bf16>) -> tensor<3x3xbf16>
  return %0, %1 : tensor<3xbf16>, tensor<3x3xbf16>
}

// -----

// Only sums: the largest number is exact in any type.
// CHECK-LABEL: func.func @maximum
// CHECK-NOT: stablehlo.convert
func.func @maximum(%x: tensor<7x3xbf16>) -> tensor<3xbf16> {
  %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<7x3xbf16>, tensor<bf16>) -> tensor<3xbf16>
  return %0 : tensor<3xbf16>
}

// -----

// CHECK-LABEL: func.func @complex
// CHECK-DAG: %[[REAL:.*]] = stablehlo.real %arg0
// CHECK-DAG: %[[IMAG:.*]] = stablehlo.imag %arg0
// CHECK: %[[SUMS:.*]]:2 = stablehlo.reduce(%[[REAL]] init: %{{.*}}), (%[[IMAG]] init: %{{.*}}) across dimensions = [0]
// CHECK: stablehlo.complex %[[SUMS]]#0, %[[SUMS]]#1
func.func @complex(%x: tensor<1000xcomplex<f32>>) -> tensor<complex<f32>> {
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}
