// RUN: halo-opt %s --split-input-file --verify-diagnostics

// What the syntax and the constraints in TableGen reject.

func.func @element_type(%a: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.cosine' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float}}
  %0 = stablehlo.cosine %a : tensor<2xi32>
  return
}

// -----

func.func @signed_integer(%a: tensor<2xsi32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor}}
  %0 = stablehlo.negate %a : tensor<2xsi32>
  return
}

// -----

func.func @unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{op operand #0 must be ranked tensor}}
  %0 = stablehlo.abs %a : tensor<*xf32>
  return
}

// -----

func.func @shapes(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.abs' op all non-scalar operands/results must have the same shape and base type}}
  %0 = stablehlo.abs %a : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_constant_shape() {
  // expected-error @+1 {{elements literal type must have static shape}}
  %0 = stablehlo.constant dense<1> : tensor<?xi32>
  return
}

// -----

func.func @constant_without_elements() {
  // expected-error @+1 {{expected an elements attribute}}
  %0 = stablehlo.constant 1 : i32
  return
}

// -----

func.func @negative_dimension(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.concatenate' op attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = stablehlo.concatenate %a, dim = -1 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @missing_attribute(%a: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.transpose' op requires attribute 'permutation'}}
  %0 = "stablehlo.transpose"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @function_type_of_another_count(%a: tensor<2xf32>) {
  // expected-error @+1 {{expected the types of 2 operands, but got 1}}
  %0 = stablehlo.add %a, %a : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @select_types(%p: tensor<i1>, %a: tensor<f32>) {
  // expected-error @+1 {{expected the types of predicate and result, or a function type}}
  %0 = stablehlo.select %p, %a, %a : tensor<i1>
  return
}

// -----

func.func @complex_type(%a: tensor<f32>) {
  // expected-error @+1 {{expected a tensor of complex numbers}}
  %0 = stablehlo.complex %a, %a : tensor<f32>
  return
}

// -----

func.func @tuple_type(%a: tensor<f32>) {
  // expected-error @+1 {{expected a tuple type}}
  %0 = stablehlo.tuple %a : tensor<f32>
  return
}

// -----

func.func @float_format(%a: tensor<f32>) {
  // expected-error @+1 {{expected a float format like 'e5m2', but got 'e5'}}
  %0 = stablehlo.reduce_precision %a, format = e5 : tensor<f32>
  return
}

// -----

func.func @precision(%a: tensor<2xf32>) {
  // expected-error @+1 {{unknown precision 'LOW'}}
  %0 = stablehlo.dot %a, %a, precision = [LOW] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @direction(%a: tensor<2xf32>) {
  // expected-error @+2 {{to be one of: EQ, NE, GE, GT, LE, LT}}
  // expected-error @+1 {{failed to parse}}
  %0 = stablehlo.compare LESS, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// -----

func.func @window_attribute(%a: tensor<1x4x1xf32>, %k: tensor<2x1x1xf32>) {
  // expected-error @+2 {{unknown window attribute 'strides', expected stride, pad, lhs_dilate, rhs_dilate or reverse}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {strides = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return
}

// -----

func.func @window_attribute_twice(%a: tensor<1x4x1xf32>, %k: tensor<2x1x1xf32>) {
  // expected-error @+2 {{'stride' given twice}}
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [1], stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
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

// -----

func.func @reduce_op(%a: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{expected a commutative op of the stablehlo dialect, but got 'stablehlo.subtract'}}
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.subtract across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_unknown_op(%a: tensor<2xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{unknown op 'stablehlo.plus'}}
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.plus across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @while_types(%a: tensor<2xf32>) {
  // expected-error @+1 {{expected 1 types, but got 2}}
  %0 = stablehlo.while(%x = %a) : tensor<2xf32>, tensor<f32>
  cond {
    stablehlo.return
  } do {
    stablehlo.return
  }
  return
}

// -----

func.func @empty_branch(%p: tensor<i1>) {
  // expected-error @+1 {{region #1 ('false_branch') failed to verify constraint: region with 1 blocks}}
  "stablehlo.if"(%p) ({ stablehlo.return }, {}) : (tensor<i1>) -> ()
  return
}
