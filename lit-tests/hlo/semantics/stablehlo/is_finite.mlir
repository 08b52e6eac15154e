// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @is_finite_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.is_finite' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<4xi32>'}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<4xi32>) -> tensor<4xi1>
  return
}

// -----

func.func @is_finite_complex(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.is_finite' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<4xcomplex<f32>>'}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xi1>
  return
}

// -----

func.func @is_finite_result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.is_finite' op result #0 must be ranked tensor of bool values, but got 'tensor<4xf32>'}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @is_finite_c1_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.is_finite' op result 0 has shape 5, but the operands and attributes of the op imply shape 4}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<4xf32>) -> tensor<5xi1>
  return
}

// -----

func.func @is_finite_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.is_finite' op result 0 has shape 7, but the operands and attributes of the op imply shape ?(<=6)}}
  %0 = "stablehlo.is_finite"(%a) : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<7xi1>
  return
}

// -----

func.func @is_finite_operand_count() {
  // expected-error @+1 {{'stablehlo.is_finite' op requires a single operand}}
  %0 = "stablehlo.is_finite"() : () -> tensor<4xi1>
  return
}
