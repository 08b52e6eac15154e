// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @tuple_c1(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.tuple' op has 1 operands, but result 0 has type tuple<tensor<f32>, tensor<f32>>}}
  %0 = "stablehlo.tuple"(%a) : (tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
  return
}

// -----

func.func @tuple_c2(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.tuple' op operand 0 has type tensor<f32>, but element 0 of result 0 has type tensor<i32>}}
  %0 = "stablehlo.tuple"(%a) : (tensor<f32>) -> tuple<tensor<i32>>
  return
}

// -----

func.func @tuple_c2_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.tuple' op operand 0 has type tensor<4xf32>, but element 0 of result 0 has type tensor<5xf32>}}
  %0 = "stablehlo.tuple"(%a) : (tensor<4xf32>) -> tuple<tensor<5xf32>>
  return
}

// -----

func.func @tuple_result_type(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.tuple' op result #0 must be nested tuple with any combination of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or memref of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or ranked tensor of per-axis integer quantized values or token values, but got 'tensor<f32>'}}
  %0 = "stablehlo.tuple"(%a) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @tuple_pretty_type(%a: tensor<f32>) {
  // expected-error @+1 {{custom op 'stablehlo.tuple' expected a tuple type}}
  %0 = stablehlo.tuple %a : tensor<f32>
  return
}
