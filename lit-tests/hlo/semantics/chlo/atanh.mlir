// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @atanh_element_type(%a: tensor<4xi32>) {
  // expected-error @+1 {{'chlo.atanh' op operand #0 must be tensor of 4/6/8/16/32/64-bit float or complex type with 32/64-bit float elements values, but got 'tensor<4xi32>'}}
  %0 = "chlo.atanh"(%a) : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @atanh_operand_count(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.atanh' op requires a single operand}}
  %0 = "chlo.atanh"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @atanh_result_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.atanh' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "chlo.atanh"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @atanh_result_rank(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.atanh' op result 0 has shape 4x1, but operand 0 has shape 4}}
  %0 = "chlo.atanh"(%a) : (tensor<4xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @atanh_result_type(%a: tensor<4xf32>) {
  // expected-error @+1 {{'chlo.atanh' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "chlo.atanh"(%a) : (tensor<4xf32>) -> tensor<4xf64>
  return
}
