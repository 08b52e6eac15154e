// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @select_c1(%a: tensor<3xi1>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.select' op operand 0 has shape 3, but operand 1 has shape 4}}
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<3xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_shape(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.select' op operand 2 has shape 5, but operand 1 has shape 4}}
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_element_type(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<4xf64>) {
  // expected-error @+1 {{'stablehlo.select' op operand 2 has element type f64, but operand 1 has element type f32}}
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4xf32>, tensor<4xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @select_c2_result(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.select' op result 0 has shape 5, but operand 1 has shape 4}}
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @select_c2_result_type(%a: tensor<i1>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.select' op result 0 has element type i32, but operand 1 has element type f32}}
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @select_predicate(%a: tensor<i32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.select' op operand #0 must be ranked tensor of bool values, but got 'tensor<i32>'}}
  %0 = "stablehlo.select"(%a, %b, %c) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_types(%p: tensor<i1>, %a: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.select' expected the types of predicate and result, or a function type}}
  %0 = stablehlo.select %p, %a, %a : tensor<i1>
  return
}
