// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @round_nearest_afz_element_type(%a: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.round_nearest_afz' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<4xcomplex<f32>>'}}
  %0 = "stablehlo.round_nearest_afz"(%a) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @round_nearest_afz_operand_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.round_nearest_afz' op requires a single operand}}
  %0 = "stablehlo.round_nearest_afz"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @round_nearest_afz_c1_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.round_nearest_afz' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.round_nearest_afz"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @round_nearest_afz_c1_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.round_nearest_afz' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.round_nearest_afz"(%a) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @round_nearest_afz_c1_element_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.round_nearest_afz' op result 0 has element type f16, but operand 0 has element type f32}}
  %0 = "stablehlo.round_nearest_afz"(%a) : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @round_nearest_afz_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.round_nearest_afz' op result 0 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.round_nearest_afz"(%a) : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<7xf32>
  return
}

// -----

func.func @round_nearest_afz_unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{'stablehlo.round_nearest_afz' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<*xf32>'}}
  %0 = "stablehlo.round_nearest_afz"(%a) : (tensor<*xf32>) -> tensor<*xf32>
  return
}
