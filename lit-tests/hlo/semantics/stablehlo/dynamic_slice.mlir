// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_slice_c1(%a: tensor<4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<2xf64>
  return
}

// -----

func.func @dynamic_slice_c2(%a: tensor<4x4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op has 1 start indices, but operand 0 has rank 2}}
  %0 = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<i32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @dynamic_slice_c2_sizes(%a: tensor<4x4xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op attribute 'slice_sizes' has 1 entries, but operand 0 has rank 2}}
  %0 = "stablehlo.dynamic_slice"(%a, %b, %c) {slice_sizes = array<i64: 1>} : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%a: tensor<4x4xf32>, %b: tensor<i32>, %c: tensor<i64>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op operand 2 has element type i64, but operand 1 has element type i32}}
  %0 = "stablehlo.dynamic_slice"(%a, %b, %c) {slice_sizes = array<i64: 1, 1>} : (tensor<4x4xf32>, tensor<i32>, tensor<i64>) -> tensor<1x1xf32>
  return
}

// -----

func.func @dynamic_slice_c4(%a: tensor<4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op attribute 'slice_sizes' has 5 for dimension 0, but operand 0 has size 4 there}}
  %0 = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 5>} : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_slice_c4_negative(%a: tensor<4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op attribute 'slice_sizes' has -1 for dimension 0, but must be at least 0}}
  %0 = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: -1>} : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_slice_c5(%a: tensor<4xf32>, %b: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op result 0 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0 = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_slice_index_type(%a: tensor<4xf32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op operand #1 must be variadic of 0D tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<f32>'}}
  %0 = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_slice_index_rank(%a: tensor<4xf32>, %b: tensor<1xi32>) {
  // expected-error @+1 {{'stablehlo.dynamic_slice' op operand #1 must be variadic of 0D tensor of 2/4/8/16/32/64-bit integer values, but got 'tensor<1xi32>'}}
  %0 = "stablehlo.dynamic_slice"(%a, %b) {slice_sizes = array<i64: 2>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<2xf32>
  return
}
