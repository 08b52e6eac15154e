// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @pad_c1(%a: tensor<4xf32>, %b: tensor<f64>) {
  // expected-error @+1 {{'stablehlo.pad' op requires the same element type for all operands and results}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f64>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_c1_result(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op requires the same element type for all operands and results}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf64>
  return
}

// -----

func.func @pad_c2_low(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op attribute 'edge_padding_low' has 2 entries, but operand 0 has rank 1}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_c2_high(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op attribute 'edge_padding_high' has 0 entries, but operand 0 has rank 1}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_c2_interior(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op attribute 'interior_padding' has 2 entries, but operand 0 has rank 1}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0, 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_c3(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op attribute 'interior_padding' has -1 for dimension 0, but must be at least 0}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: -1>} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_c4(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op result 0 has shape 8, but the operands and attributes of the op imply shape 9}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return
}

// -----

func.func @pad_c4_negative(%a: tensor<2xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op padding makes dimension 0 of size -2}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: -2>, edge_padding_high = array<i64: -2>, interior_padding = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_padding_value(%a: tensor<4xf32>, %b: tensor<1xf32>) {
  // expected-error @+1 {{'stablehlo.pad' op operand #1 must be 0D tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values, but got 'tensor<1xf32>'}}
  %0 = "stablehlo.pad"(%a, %b) {edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}
