// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @element_type(%a: tensor<2xi32>) {
  // expected-error @+1 {{'chlo.erf' op operand #0 must be tensor of 4/6/8/16/32/64-bit float}}
  %0 = chlo.erf %a : tensor<2xi32> -> tensor<2xi32>
  return
}

// -----

func.func @element_types(%a: tensor<2xi32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.broadcast_divide' op requires the same element type for all operands and results}}
  %0 = chlo.broadcast_divide %a, %b : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @scan_results(%a: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{expected a result for each of the 1 initial values, but got 0 results}}
  chlo.scan(%a) inits (%z) dimension=0 {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  } : (tensor<2xf32>, tensor<f32>) -> ()
  return
}

// -----

// expected-error @+2 {{cannot read the dimension numbers from here on}}
// expected-error @+1 {{unknown member 'ragged', expected one of}}
module attributes {a.b = #chlo.ragged_dot<ragged = [0]>} {}
