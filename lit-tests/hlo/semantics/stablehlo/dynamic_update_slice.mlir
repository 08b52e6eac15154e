// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_update_slice_c1(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1_element_type(%a: tensor<4xf32>, %b: tensor<2xf32>, %c: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf64>
  return
}

// -----

func.func @dynamic_update_slice_c2(%a: tensor<4xf32>, %b: tensor<2xf64>, %c: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<2xf64>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%a: tensor<4xf32>, %b: tensor<2x1xf32>, %c: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op operand 1 has rank 2, but operand 0 has rank 1}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<2x1xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c4(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %c: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op has 1 start indices, but operand 0 has rank 2}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c5(%a: tensor<4x4xf32>, %b: tensor<2x2xf32>, %c: tensor<i32>, %d: tensor<i64>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op operand 3 has element type i64, but operand 2 has element type i32}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %c, %d) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i64>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6(%a: tensor<4xf32>, %b: tensor<5xf32>, %c: tensor<i32>) {
  // expected-error @+1 {{'stablehlo.dynamic_update_slice' op dimension 0 of operand 1 has size 5, but operand 0 has size 4 there}}
  %0 = "stablehlo.dynamic_update_slice"(%a, %b, %c) : (tensor<4xf32>, tensor<5xf32>, tensor<i32>) -> tensor<4xf32>
  return
}
