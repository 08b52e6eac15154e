// RUN: halo-opt %s --canonicalize --cse | FileCheck %s --check-prefix=CLEAN
// RUN: halo-opt %s --inline | FileCheck %s --check-prefix=INLINE
// RUN: halo-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=HOIST

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
