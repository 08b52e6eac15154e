// RUN: halo-opt %s --halo-observe-ops | FileCheck %s
// RUN: halo-opt %s --halo-observe-ops=makes-floats | FileCheck %s --check-prefix=FLOATS
// RUN: halo-opt %s --pass-pipeline='builtin.module(halo-observe-ops{only=log})' | FileCheck %s --check-prefix=ONLY
// RUN: halo-opt %s --halo-observe-ops=straight-line | FileCheck %s --check-prefix=STRAIGHT

// A call has the result, then the operands. Constants are not observed, and only floats that an op
// computes with the option.
// CHECK-LABEL: func.func @values(
// CHECK: %[[I:.*]] = stablehlo.convert
// CHECK-NEXT: stablehlo.custom_call @halo.observe(%[[I]], %arg0) {{.*}}event = "result"{{.*}}number = 0 : i64, op = "stablehlo.convert", relation = "elementwise"
// CHECK: %[[L:.*]] = stablehlo.log
// CHECK-NEXT: stablehlo.custom_call @halo.observe(%[[L]], %arg0) {{.*}}number = 1 : i64, op = "stablehlo.log"
// CHECK: %[[D:.*]] = stablehlo.dot_general
// CHECK-NEXT: stablehlo.custom_call @halo.observe(%[[D]], %[[L]], %arg1) {{.*}}lhs_batch = array<i64>, lhs_contracted = array<i64: 0>{{.*}}relation = "dot"{{.*}}rhs_contracted = array<i64: 0>
// CHECK: %[[T:.*]] = stablehlo.transpose
// CHECK-NEXT: stablehlo.custom_call @halo.observe(%[[T]], %[[D]]) {{.*}}relation = "other"
// FLOATS-LABEL: func.func @values(
// FLOATS: stablehlo.convert
// FLOATS-NEXT: stablehlo.log
// FLOATS-NEXT: stablehlo.custom_call @halo.observe
// FLOATS: stablehlo.transpose
// FLOATS-NEXT: return
// ONLY-COUNT-1: @halo.observe
// ONLY-NOT: op = "stablehlo.dot_general"
func.func @values(%x: tensor<8xf32>, %y: tensor<8x4xf32>) -> (tensor<8xi32>, tensor<4xf32>) {
  %0 = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xi32>
  %1 = stablehlo.log %x : tensor<8xf32>
  %2 = stablehlo.dot_general %1, %y, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  %3 = stablehlo.transpose %2, dims = [0] : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %3 : tensor<8xi32>, tensor<4xf32>
}

// With the option, a value that only selections use is observed after them, with their predicates.
// CHECK-LABEL: func.func @guarded(
// CHECK: stablehlo.log
// CHECK-NEXT: stablehlo.custom_call @halo.observe
// CHECK-NOT: choices
// FLOATS-LABEL: func.func @guarded(
// FLOATS: stablehlo.select
// FLOATS: stablehlo.custom_call @halo.observe(%[[LOG:.*]], %arg0, %arg1) {{.*}}choices = array<i64: 1>{{.*}}op = "stablehlo.log"
func.func @guarded(%x: tensor<8xf32>, %p: tensor<8xi1>) -> tensor<8xf32> {
  %0 = stablehlo.log %x : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  %2 = stablehlo.select %p, %1, %x : tensor<8xi1>, tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Iterations are counted. Loops may be left out.
// STRAIGHT-LABEL: func.func @loop(
// STRAIGHT-NOT: @halo.observe
// CHECK-LABEL: func.func @loop(
// CHECK: stablehlo.custom_call @halo.observe() {{.*}}event = "loop", lines = ["{{.*}}observe_ops.mlir:[[# @LINE + 10]]:8"], loops = array<i64: 0>
// CHECK: stablehlo.while
// CHECK: stablehlo.compare
// CHECK-NEXT: stablehlo.custom_call @halo.observe({{.*}}condition = 1 : i64
// CHECK: } do {
// CHECK-NEXT: stablehlo.custom_call @halo.observe() {{.*}}event = "iteration"
// CHECK: stablehlo.sqrt
// CHECK-NEXT: stablehlo.custom_call @halo.observe({{.*}}condition = 0 : i64{{.*}}loops = array<i64: 0>
func.func @loop(%x: tensor<f32>, %e: tensor<f32>) -> tensor<f32> {
  // The while is at column 8.
  %0 = stablehlo.while(%v = %x) : tensor<f32>
    cond {
      %c = stablehlo.compare GE, %v, %e : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %r = stablehlo.sqrt %v : tensor<f32>
      stablehlo.return %r : tensor<f32>
    }
  return %0 : tensor<f32>
}
