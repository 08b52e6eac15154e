// RUN: halo-opt %s --split-input-file --verify-diagnostics

// What the syntax of attributes and types rejects; ../../hlo/semantics/stablehlo has
// a file for each op.

func.func @signed_integer(%a: tensor<2xsi32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor}}
  %0 = stablehlo.negate %a : tensor<2xsi32>
  return
}

// -----

// expected-error @+1 {{expected spatial dimensions 0 to 1 without gaps}}
module attributes {a.conv = #stablehlo.conv<[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]>} {}

// -----

// expected-error @+1 {{unexpected dimension 'x', expected a number, 'i' or 'o'}}
module attributes {a.conv = #stablehlo.conv<[b, 0, f]x[0, x, o]->[b, 0, f]>} {}

// -----

// expected-error @+1 {{expected dimensions 'b' and 'f'}}
module attributes {a.conv = #stablehlo.conv<[b, 0]x[0, i, o]->[b, 0, f]>} {}

// -----

// expected-error @+2 {{cannot read the dimension numbers from here on}}
// expected-error @+1 {{unknown member 'lhs_batch', expected one of: lhs_batching_dimensions, rhs_batching_dimensions, lhs_contracting_dimensions, rhs_contracting_dimensions}}
module attributes {a.dot = #stablehlo.dot<lhs_batch = [0]>} {}

// -----

// expected-error @+2 {{cannot read the dimension numbers from here on}}
// expected-error @+1 {{member 'offset_dims' given twice}}
module attributes {a.gather = #stablehlo.gather<offset_dims = [0], offset_dims = [1]>} {}

// -----

// expected-error @+1 {{unknown attribute 'nothing' in dialect 'stablehlo'}}
module attributes {a.b = #stablehlo.nothing} {}

// -----

// expected-error @+1 {{tolerances need the mode TOLERANCE, but the mode is HIGHEST}}
module attributes {a.b = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} {}

// -----

// expected-error @+1 {{a tolerance must not be negative}}
module attributes {a.b = #stablehlo.result_accuracy<ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} {}

// -----

// expected-error @+1 {{expected one bound per dimension, but got 1 bounds for rank 2}}
func.func private @bounds(tensor<?x4xf32, #stablehlo.bounds<3>>)

// -----

// expected-error @+1 {{dimension 1 is static and cannot have a bound}}
func.func private @bounds(tensor<?x4xf32, #stablehlo.bounds<3, 4>>)

// -----

// expected-error @+1 {{a future holds ranked tensors, but got '!stablehlo.token'}}
func.func private @future(!stablehlo.future<!stablehlo.token>)
