// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @abs_element_type(%a: tensor<4xui32>) {
  // expected-error @+1 {{'stablehlo.abs' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit signless integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<4xui32>'}}
  %0 = "stablehlo.abs"(%a) : (tensor<4xui32>) -> tensor<4xui32>
  return
}

// -----

func.func @abs_operand_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.abs' op requires a single operand}}
  %0 = "stablehlo.abs"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @abs_c1_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.abs' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.abs"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @abs_c1_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.abs' op result 0 has shape 4x1, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.abs"(%a) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @abs_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.abs' op result 0 has shape 7, but the operands and attributes of the op imply shape ?(<=6)}}
  %0 = "stablehlo.abs"(%a) : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<7xf32>
  return
}

// -----

func.func @abs_unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{'stablehlo.abs' op operand #0 must be ranked tensor of 2/4/8/16/32/64-bit signless integer or 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<*xf32>'}}
  %0 = "stablehlo.abs"(%a) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @abs_c2(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.abs' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.abs"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @abs_c2_complex(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+1 {{'stablehlo.abs' op result 0 has element type f32, but the operands and attributes of the op imply f64}}
  %0 = "stablehlo.abs"(%a) : (tensor<4xcomplex<f64>>) -> tensor<4xf32>
  return
}

// -----

func.func @abs_complex_result(%a: tensor<4xcomplex<f64>>) {
  // expected-error @+1 {{'stablehlo.abs' op result #0 must be ranked tensor of 2/4/8/16/32/64-bit signless integer or 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<4xcomplex<f64>>'}}
  %0 = "stablehlo.abs"(%a) : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  return
}
