// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_reshape_c1(%a: tensor<6xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op result 0 has element type i32, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<6xf32>, tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @dynamic_reshape_c2(%a: tensor<6xf32>, %b: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op result 0 has 8 elements, but operand 0 has 6 elements}}
  %0 = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dynamic_reshape_c3(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %b: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op result 0 has element type !quant.uniform<i8:f32, 5.000000e-01>, but operand 0 has element type !quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>}}
  %0 = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<1xi32>) -> tensor<6x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dynamic_reshape_c4(%a: tensor<6xf32>, %b: tensor<3xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op result 0 has shape 2x3, but the operands and attributes of the op imply shape ?x?x?}}
  %0 = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<6xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_reshape_output_shape(%a: tensor<6xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op operand #1 must be statically shaped 1-dimensional tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.dynamic_reshape"(%a, %b) : (tensor<6xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_reshape_c4_constant(%a: tensor<6xf32>) {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op result 0 has shape 2x3, but the operands and attributes of the op imply shape 3x2}}
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<6xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_reshape_bound(%a: tensor<4x8xf32>, %n: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op result 0 has at most 31 elements, but operand 0 has 32 elements}}
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<?xf32, #stablehlo.bounds<31>>
  return
}

// -----

func.func @dynamic_reshape_multiple(%a: tensor<?x5xf32>, %n: tensor<2xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_reshape' op operand 0 has a multiple of 5 elements, but result 0 has 32 elements}}
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<?x5xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return
}
