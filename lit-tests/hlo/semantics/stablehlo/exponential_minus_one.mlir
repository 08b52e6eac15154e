// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @exponential_minus_one_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<4xi32>'}}
  %0 = "stablehlo.exponential_minus_one"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @exponential_minus_one_operand_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op requires a single operand}}
  %0 = "stablehlo.exponential_minus_one"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.exponential_minus_one"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "stablehlo.exponential_minus_one"(%a) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @exponential_minus_one_c1_element_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.exponential_minus_one"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @exponential_minus_one_c1_bound(%a: tensor<?xf32, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op result 0 has shape 7, but operand 0 has shape ?(<=6)}}
  %0 = "stablehlo.exponential_minus_one"(%a) : (tensor<?xf32, #stablehlo.bounds<6>>) -> tensor<7xf32>
  return
}

// -----

func.func @exponential_minus_one_unranked(%a: tensor<*xf32>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op operand #0 must be ranked tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<*xf32>'}}
  %0 = "stablehlo.exponential_minus_one"(%a) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @exponential_minus_one_result_accuracy(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.exponential_minus_one' op attribute 'result_accuracy' failed to satisfy constraint: The error that an elementwise function may have}}
  %0 = "stablehlo.exponential_minus_one"(%a) {result_accuracy = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
