// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @add_c1_operand_shape(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.add' op operand 1 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c1_result_shape(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.add' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @add_c1_operand_type(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @+1 {{'stablehlo.add' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c1_result_type(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.add' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @add_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>, %b: tensor<7xf32>) {
  // expected-error @+1 {{'stablehlo.add' op operand 1 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<7xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @add_operand_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.add' op expected 2 operands, but found 1}}
  %0 = "stablehlo.add"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @add_type_count(%a: tensor<4xf32>) {
  // expected-error @+1 {{custom op 'stablehlo.add' expected the types of 2 operands, but got 1}}
  %0 = stablehlo.add %a, %a : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @add_c3_storage(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.add' op operand 1 has element type !quant.uniform<i16:f32, 5.000000e-01>, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i16:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c2_quantized_and_float(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.add' op operand 1 has element type f32, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c4_expressed(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error @+1 {{'stablehlo.add' op operand 1 has element type !quant.uniform<i8:f16, 5.000000e-01>, but operand 0 has element type !quant.uniform<i8:f32, 5.000000e-01>}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4x!quant.uniform<i8:f16, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c5(%a: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %b: tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.add' op result 0 has element type !quant.uniform<i8:f32, 5.000000e-01>, but the operands and attributes of the op imply !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}>}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<4x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @add_c6(%a: tensor<4x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.5}>>, %b: tensor<4x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.add' op operand 0 is quantized along dimension 0, but result 0 is not}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.5}>>, tensor<4x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @add_c7(%a: tensor<4x2x!quant.uniform<i8:f32, 0.5>>, %b: tensor<4x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.5}>>) {
  // expected-error @+1 {{'stablehlo.add' op operand 1 is quantized along dimension 0, but result 0 is not}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x2x!quant.uniform<i8:f32, 0.5>>, tensor<4x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.5}>>) -> tensor<4x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @add_scales(%a: tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %b: tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error @+1 {{'stablehlo.add' op operand 0 has type tensor<4x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>>, which has 2 scales for a dimension of size 4}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<4x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}
