// RUN: halo-opt %s --chlo-legalize-to-stablehlo --split-input-file --verify-diagnostics
// RUN: not halo-opt %s --pass-pipeline='builtin.module(chlo-legalize-to-stablehlo{keep=erf,exp})' --split-input-file 2>&1 | FileCheck %s

// CHECK: error: 'exp' is not one of the ops of CHLO that can be kept

func.func @complex_bessel(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error@+1 {{'chlo.bessel_i1e' of complex numbers has no decomposition}}
  %0 = chlo.bessel_i1e %a : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

func.func @scan_of_unknown_length(%init: tensor<f32>) -> tensor<?xf32> {
  // expected-error@+1 {{a scan without inputs and of unknown length cannot be decomposed}}
  %0:2 = "chlo.scan"(%init) ({
  ^bb0(%carry: tensor<f32>):
    stablehlo.return %carry, %carry : tensor<f32>, tensor<f32>
  }) {dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>} : (tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
  return %0#0 : tensor<?xf32>
}

// -----

// StableHLO has no unranked tensors; the error is reported once.
func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error@+1 {{op operand 0 has type tensor<*xf32>, which is not a ranked tensor}}
  %0 = chlo.square %a : tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHLO takes elements that the op of StableHLO does not.
func.func @elements(%x: tensor<4xf64>, %y: tensor<f64>) -> tensor<4xf64> {
  // expected-error @+1 {{'chlo.broadcast_shift_left' op has no form for its types: 'stablehlo.shift_left' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<4xf64>'}}
  %0 = chlo.broadcast_shift_left %x, %y : (tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
