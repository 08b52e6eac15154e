// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @convert_element_type(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @+1 {{'stablehlo.convert' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements values, but got 'tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>'}}
  %0 = "stablehlo.convert"(%a) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @convert_operand_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.convert' op requires a single operand}}
  %0 = "stablehlo.convert"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @convert_c1_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.convert' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.convert"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @convert_c1_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.convert' op result 0 has shape 4x1, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.convert"(%a) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @convert_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.convert' op result 0 has shape 7, but the operands and attributes of the op imply shape ?(<=6)}}
  %0 = "stablehlo.convert"(%a) : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<7xf32>
  return
}
