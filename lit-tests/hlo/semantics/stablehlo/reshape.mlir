// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @reshape_c1(%a: tensor<6xi32>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 has element type f32, but operand 0 has element type i32}}
  %0 = "stablehlo.reshape"(%a) : (tensor<6xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @reshape_c1_scale(%a: tensor<6x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 has element type !quant.uniform<i8:f32, 2.500000e-01>, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>, which has other scales or zero points}}
  %0 = "stablehlo.reshape"(%a) : (tensor<6x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @reshape_c2(%a: tensor<6xi32>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 has 8 elements, but operand 0 has 6 elements}}
  %0 = "stablehlo.reshape"(%a) : (tensor<6xi32>) -> tensor<2x4xi32>
  return
}

// -----

func.func @reshape_c2_empty(%a: tensor<0xi32>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 has 1 elements, but operand 0 has 0 elements}}
  %0 = "stablehlo.reshape"(%a) : (tensor<0xi32>) -> tensor<1xi32>
  return
}

// -----

func.func @reshape_c3(%a: tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 has element type !quant.uniform<i8:f32, 5.000000e-01>, but operand 0 has element type !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>}}
  %0 = "stablehlo.reshape"(%a) : (tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x3x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @reshape_c3_dimension(%a: tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.reshape' op 1 elements come before the quantized dimension of result 0, but 2 before that of operand 0}}
  %0 = "stablehlo.reshape"(%a) : (tensor<2x2x3x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x6x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @reshape_dynamic(%a: tensor<6xi32>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 must be statically shaped or have a single bounded dimension, but has type tensor<?x3xi32>}}
  %0 = "stablehlo.reshape"(%a) : (tensor<6xi32>) -> tensor<?x3xi32>
  return
}

// -----

func.func @reshape_two_bounds(%a: tensor<?x?xi32, #stablehlo.bounds<4, 4>>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 must be statically shaped or have a single bounded dimension}}
  %0 = "stablehlo.reshape"(%a) : (tensor<?x?xi32, #stablehlo.bounds<4, 4>>) -> tensor<?x?xi32, #stablehlo.bounds<2, 8>>
  return
}

// -----

// What TensorFlow exports of results with several computed sizes.

func.func @reshape_to_itself(%a: tensor<?x?xi32, #stablehlo.bounds<4, 4>>) {
  %0 = "stablehlo.reshape"(%a) : (tensor<?x?xi32, #stablehlo.bounds<4, 4>>) -> tensor<?x?xi32, #stablehlo.bounds<4, 4>>
  return
}

// -----

// Sizes whose product overflows.
func.func @reshape_overflow(%a: tensor<9223372036854775807x7xi32>) {
  // expected-error @+1 {{'stablehlo.reshape' op operand 0 has type tensor<9223372036854775807x7xi32>, which has more elements than memory can hold}}
  %0 = "stablehlo.reshape"(%a) : (tensor<9223372036854775807x7xi32>) -> tensor<12xi32>
  return
}

// -----

func.func @reshape_bound(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{'stablehlo.reshape' op result 0 has at most 30 elements, but operand 0 has 32 elements}}
  %0 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<?x2xf32, #stablehlo.bounds<15, ?>>
  return
}
