// RUN: halo-opt %s --split-input-file --stablehlo-legalize-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @elementwise
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>) outs(%[[EMPTY]] : tensor<4xf32>)
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: linalg.yield %[[SUM]]
func.func @elementwise(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Unsigned integers become signless; the ops say how to read them.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: (%{{.*}}: tensor<4xi8>, %{{.*}}: tensor<4xi8>) -> tensor<4xi8>
// CHECK: arith.maxui
func.func @unsigned(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  %0 = stablehlo.maximum %a, %b : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// Division by zero and the quotient that does not fit must not trap.
// CHECK-LABEL: func.func @divide
// CHECK: %[[BY_ZERO:.*]] = arith.cmpi eq
// CHECK: %[[DIVISOR:.*]] = arith.select %{{.*}}
// CHECK: %[[QUOTIENT:.*]] = arith.divsi
// CHECK: arith.select %[[BY_ZERO]], %{{.*}}, %[[QUOTIENT]]
func.func @divide(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.divide %a, %b : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

// The predicate of rank 0 is broadcast by its map.
// CHECK-DAG: #[[$SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-DAG: #[[$WHOLE:.*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @select
// CHECK: linalg.generic {indexing_maps = [#[[$SCALAR]], #[[$WHOLE]], #[[$WHOLE]], #[[$WHOLE]]]
// CHECK: arith.select
func.func @select(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0, d1) -> (d1, 0)>
// CHECK-LABEL: func.func @broadcast
// CHECK: linalg.generic {indexing_maps = [#[[$IN]], #{{.*}}]
func.func @broadcast(%a: tensor<3x1xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reshape %a : (tensor<3x1xf32>) -> tensor<3x1xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<3x1xf32>) -> tensor<2x3x1xf32>
  %2 = stablehlo.reshape %1 : (tensor<2x3x1xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<3x1xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.add %2, %3 : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}

// -----

// Shapes that do not refine each other meet in one that refines both.
// CHECK-LABEL: func.func @reshape
// CHECK: tensor.expand_shape {{.*}} : tensor<6x4xf32> into tensor<2x3x4xf32>
// CHECK: tensor.collapse_shape {{.*}} : tensor<2x3x4xf32> into tensor<2x12xf32>
func.func @reshape(%a: tensor<6x4xf32>) -> tensor<2x12xf32> {
  %0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// -----

// The loops are batch, m, n, k; the maps say how the operands lie.
// CHECK-DAG: #[[$LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[$RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @dot_general
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[$LHS]], #[[$RHS]], #[[$OUT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @dot_general(%a: tensor<2x5x3xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x5x3xf32>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// Sums of narrow floats are kept in f32 and rounded once.
// CHECK-LABEL: func.func @dot_bf16
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x4xf32>)
// CHECK: arith.extf
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @dot_bf16(%a: tensor<3x5xbf16>, %b: tensor<5x4xbf16>) -> tensor<3x4xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x5xbf16>, tensor<5x4xbf16>) -> tensor<3x4xbf16>
  return %0 : tensor<3x4xbf16>
}

// -----

// CHECK-LABEL: func.func @argmax
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xi32>)
// CHECK: linalg.index 1
// CHECK: arith.cmpf ogt
// CHECK: linalg.yield %{{.*}}, %{{.*}} : f32, i32
func.func @argmax(%a: tensor<4x8xf32>) -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<4x8xi32>
  %1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.constant dense<0> : tensor<i32>
  %3:2 = stablehlo.reduce(%a init: %1), (%0 init: %2) across dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %4 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.select %4, %x, %y : tensor<i1>, tensor<f32>
    %6 = stablehlo.select %4, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %5, %6 : tensor<f32>, tensor<i32>
  }
  return %3#1 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @while
// CHECK: scf.while
// CHECK: %[[MORE:.*]] = tensor.extract
// CHECK: scf.condition(%[[MORE]])
// CHECK: scf.yield
func.func @while(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %n) : tensor<i32> cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// The last branch is taken for every index out of range.
// CHECK-LABEL: func.func @case
// CHECK: scf.index_switch
// CHECK: case 0 {
// CHECK: arith.negf
// CHECK: default {
// CHECK: math.absf
func.func @case(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    %1 = stablehlo.abs %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @custom_call
// CHECK: halo.custom_call "look"(%arg0) {backend_config = "{}", operand_types = [tensor<4xf32>], result_types = []} : (tensor<4xf32>) -> ()
func.func @custom_call(%a: tensor<4xf32>) {
  stablehlo.custom_call @look(%a) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return
}

// -----

// Results have the types of the call; the attributes keep what is unsigned.
// CHECK-LABEL: func.func @custom_call_results
// CHECK: %[[CALL:.*]]:2 = halo.custom_call "make"(%arg0) {{{.*}}operand_types = [tensor<4xui32>], result_types = [tensor<2xui8>, tensor<i1>]} : (tensor<4xi32>) -> (tensor<2xi8>, tensor<i1>)
// CHECK: return %[[CALL]]#0, %[[CALL]]#1
func.func @custom_call_results(%a: tensor<4xui32>) -> (tensor<2xui8>, tensor<i1>) {
  %0:2 = stablehlo.custom_call @make(%a) : (tensor<4xui32>) -> (tensor<2xui8>, tensor<i1>)
  return %0#0, %0#1 : tensor<2xui8>, tensor<i1>
}

// -----

// Annotations are the identity on one device.
// CHECK-LABEL: func.func @annotation
// CHECK: return %arg0
func.func @annotation(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {backend_config = ""} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// An assertion of the check dialect is a custom call; an expectation that is an
// attribute becomes an operand.
// CHECK-LABEL: func.func @check
// CHECK: %[[EXPECTED:.*]] = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK: halo.custom_call "check.expect_eq"(%arg0, %[[EXPECTED]]) {{{.*}}operand_types = [tensor<2xi32>, tensor<2xi32>]
func.func @check(%a: tensor<2xi32>) {
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  return
}
