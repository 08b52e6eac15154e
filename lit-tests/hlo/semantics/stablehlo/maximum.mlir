// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @maximum_c1_operand_shape(%a: tensor<4xi32>, %b: tensor<5xi32>) {
  // expected-error @+1 {{'stablehlo.maximum' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.maximum"(%a, %b) : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @maximum_c1_result_shape(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.maximum' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.maximum"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4x1xi32>
  return
}

// -----

func.func @maximum_c1_operand_type(%a: tensor<4xi32>, %b: tensor<4xi64>) {
  // expected-error @+1 {{'stablehlo.maximum' op operand 1 has element type i64, but operand 0 has element type i32}}
  %0 = "stablehlo.maximum"(%a, %b) : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  return
}

// -----

func.func @maximum_c1_result_type(%a: tensor<4xi32>, %b: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.maximum' op result 0 has element type i64, but operand 0 has element type i32}}
  %0 = "stablehlo.maximum"(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi64>
  return
}

// -----

func.func @maximum_c1_bound(%a: tensor<?xi32, #stablehlo.bounds<6>>, %b: tensor<7xi32>) {
  // expected-error @+1 {{'stablehlo.maximum' op operand 1 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.maximum"(%a, %b) : (tensor<?xi32, #stablehlo.bounds<6>>, tensor<7xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @maximum_operand_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.maximum' op expected 2 operands, but found 1}}
  %0 = "stablehlo.maximum"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @maximum_type_count(%a: tensor<4xi32>) {
  // expected-error @+1 {{custom op 'stablehlo.maximum' expected the types of 2 operands, but got 1}}
  %0 = stablehlo.maximum %a, %a : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @maximum_quantized_per_axis(%a: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %b: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.maximum' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<4x2x!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>>'}}
  %0 = "stablehlo.maximum"(%a, %b) : (tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @maximum_quantized_storage(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.maximum' op operand 1 has element type !quant.uniform<i16:f32, 5.000000e-01>, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = "stablehlo.maximum"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i16:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}
