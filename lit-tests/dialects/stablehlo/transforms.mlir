// RUN: halo-opt %s --canonicalize --cse | FileCheck %s --check-prefix=CLEAN
// RUN: halo-opt %s --inline | FileCheck %s --check-prefix=INLINE
// RUN: halo-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=HOIST
// RUN: halo-opt %s --sccp | FileCheck %s --check-prefix=CONST
// RUN: halo-opt %s --remove-dead-values | FileCheck %s --check-prefix=DEAD

// Upstream's passes know from traits and effects what they may do.

// CLEAN-LABEL: func.func @unused(
// INLINE-LABEL: func.func @unused(
// HOIST-LABEL: func.func @unused(
func.func @unused(%a: tensor<4xf32>, %z: tensor<f32>, %s: !stablehlo.token) {
  // CLEAN-NOT: stablehlo.exponential
  %0 = stablehlo.exponential %a : tensor<4xf32>
  // CLEAN-NOT: stablehlo.reduce
  %1 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // CLEAN-NOT: @pure
  %2 = stablehlo.custom_call @pure(%a) {has_side_effect = false} : (tensor<4xf32>) -> tensor<4xf32>
  // CLEAN: @unknown
  %3 = stablehlo.custom_call @unknown(%a) : (tensor<4xf32>) -> tensor<4xf32>
  // CLEAN: "stablehlo.outfeed"
  %4 = "stablehlo.outfeed"(%a, %s) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // CLEAN: "stablehlo.collective_permute"
  %5 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// CLEAN-LABEL: func.func @equal(
func.func @equal(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>) {
  // One constant and one product are left.
  // CLEAN-DAG: %[[CST:.*]] = stablehlo.constant dense<2.000000e+00>
  // CLEAN-DAG: %[[MUL:.*]] = stablehlo.multiply %arg0, %[[CST]]
  // CLEAN-NOT: stablehlo.multiply
  %c = stablehlo.constant dense<2.0> : tensor<f32>
  %d = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.multiply %a, %c : tensor<f32>
  // A commutative op has its constant operand last.
  %1 = stablehlo.multiply %d, %a : tensor<f32>
  // Two draws from one distribution are two numbers.
  // CLEAN: %[[X:.*]] = stablehlo.rng
  // CLEAN: %[[Y:.*]] = stablehlo.rng
  // CLEAN: return %[[MUL]], %[[MUL]], %[[X]], %[[Y]]
  %s = stablehlo.constant dense<2> : tensor<1xi64>
  %2 = stablehlo.rng %c, %c, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %3 = stablehlo.rng %c, %c, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>
}

func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// INLINE-LABEL: func.func @calls(
// INLINE-NOT: call @twice
// INLINE: stablehlo.add %arg0, %arg0
// INLINE: "stablehlo.if"
// INLINE-NEXT: stablehlo.add %arg0, %arg0
// INLINE-NOT: call @twice
func.func @calls(%a: tensor<4xf32>, %p: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.if"(%p) ({
    %2 = func.call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// HOIST-LABEL: func.func @loop(
// HOIST: %[[TANH:.*]] = stablehlo.tanh %arg0
// HOIST: stablehlo.while
// HOIST: do {
// HOIST: stablehlo.rng
// HOIST: stablehlo.add %{{.*}}, %[[TANH]]
func.func @loop(%a: tensor<4xf32>, %z: tensor<f32>, %s: tensor<1xi64>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = stablehlo.while(%iterArg = %a) : tensor<4xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.tanh %a : tensor<4xf32>
    %2 = stablehlo.rng %z, %z, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %3 = stablehlo.add %2, %1 : tensor<4xf32>
    stablehlo.return %3 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// What may have no meaning for the sizes that it meets stays in the loop, which may
// run no iteration; so does a conditional with that in a branch. None of them is
// kept alive, and equal ones are one.
// CLEAN-LABEL: func.func @sizes(
// CLEAN-NOT: stablehlo.abs
// CLEAN: %[[ADD:.*]] = stablehlo.add %arg0, %arg0
// CLEAN-NOT: stablehlo.add
// CLEAN: return %[[ADD]], %[[ADD]]
func.func @sizes(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = stablehlo.abs %a : (tensor<?xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %a, %a : tensor<?xf32>
  %2 = stablehlo.add %a, %a : tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// HOIST-LABEL: func.func @loop_of_unknown_sizes(
// HOIST: stablehlo.abs %arg0 : tensor<?xf32>
// HOIST: "stablehlo.if"
// HOIST: stablehlo.sine
// HOIST: stablehlo.while
// HOIST: do {
// HOIST-NEXT: stablehlo.abs %arg0 : (tensor<?xf32>) -> tensor<4xf32>
// HOIST-NEXT: stablehlo.add %arg0, %arg0
// HOIST-NEXT: "stablehlo.if"
// HOIST-NEXT: stablehlo.cosine
func.func @loop_of_unknown_sizes(%a: tensor<?xf32>, %p: tensor<i1>) {
  %0 = stablehlo.while(%iterArg = %p) : tensor<i1>
  cond {
    stablehlo.return %iterArg : tensor<i1>
  } do {
    %1 = stablehlo.abs %a : (tensor<?xf32>) -> tensor<4xf32>
    %2 = stablehlo.abs %a : tensor<?xf32>
    %3 = stablehlo.add %a, %a : tensor<?xf32>
    %4 = "stablehlo.if"(%p) ({
      %6 = stablehlo.cosine %a : (tensor<?xf32>) -> tensor<4xf32>
      stablehlo.return %p : tensor<i1>
    }, {
      stablehlo.return %p : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    %5 = "stablehlo.if"(%p) ({
      %6 = stablehlo.sine %a : tensor<?xf32>
      stablehlo.return %p : tensor<i1>
    }, {
      stablehlo.return %p : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %iterArg : tensor<i1>
  }
  return
}

// Constants flow through choices where all ways bring the same one.
// CONST-LABEL: func.func @constants(
// CONST-DAG: %[[SEVEN:.*]] = stablehlo.constant dense<7> : tensor<i32>
// CONST-NOT: "stablehlo.if"
// CONST: %[[CASE:.*]] = "stablehlo.case"
// CONST: return %[[SEVEN]], %[[CASE]]
func.func @constants(%p: tensor<i1>, %n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0 = "stablehlo.if"(%p) ({
    %2 = stablehlo.constant dense<7> : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }, {
    %2 = stablehlo.constant dense<7> : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  %1 = "stablehlo.case"(%n) ({
    %2 = stablehlo.constant dense<7> : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }, {
    %2 = stablehlo.constant dense<8> : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// A constant of one type is no constant of another.
// CONST-LABEL: func.func @constant_of_unknown_size(
// CONST: %[[IF:.*]] = "stablehlo.if"
// CONST: return %[[IF]] : tensor<?xi32>
func.func @constant_of_unknown_size(%p: tensor<i1>) -> tensor<?xi32> {
  %c = stablehlo.constant dense<7> : tensor<2xi32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %c : tensor<2xi32>
  }, {
    stablehlo.return %c : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// What no result needs is not computed.
// DEAD-LABEL: func.func @dead(
// DEAD: stablehlo.is_finite
// DEAD: "stablehlo.if"
// DEAD: stablehlo.cosine
// DEAD-NOT: stablehlo.tanh
// DEAD: return
func.func @dead(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %p = stablehlo.is_finite %b : (tensor<f32>) -> tensor<i1>
  %0:2 = "stablehlo.if"(%p) ({
    %1 = stablehlo.cosine %a : tensor<4xf32>
    stablehlo.return %1, %a : tensor<4xf32>, tensor<4xf32>
  }, {
    %1 = stablehlo.tanh %a : tensor<4xf32>
    stablehlo.return %a, %1 : tensor<4xf32>, tensor<4xf32>
  }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// A loop keeps what its condition needs, though no result is used that is.
// DEAD-LABEL: func.func @condition(
// DEAD: stablehlo.while
// DEAD: %[[P:.*]] = stablehlo.compare LT
// DEAD: stablehlo.return %[[P]]
// DEAD: stablehlo.add
func.func @condition(%a: tensor<4xf32>, %n: tensor<i32>, %p: tensor<i1>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %n, %x = %a) : tensor<i32>, tensor<4xf32>
  cond {
    %2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
  }
  %1 = "stablehlo.if"(%p) ({
    %2 = stablehlo.cosine %0#1 : tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
