// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @optimization_barrier_c1(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.optimization_barrier' op has 2 results, but the operands and attributes imply 1}}
  %0:2 = "stablehlo.optimization_barrier"(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

func.func @optimization_barrier_c2(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.optimization_barrier' op result 0 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<f32>) -> tensor<f64>
  return
}

// -----

func.func @optimization_barrier_c2_shape(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.optimization_barrier' op result 0 has shape 5, but operand 0 has shape 4}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @optimization_barrier_c2_token(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.optimization_barrier' op result 0 has type tensor<f32>, but operand 0 has type !stablehlo.token}}
  %0 = "stablehlo.optimization_barrier"(%a) : (!stablehlo.token) -> tensor<f32>
  return
}

// -----

func.func @optimization_barrier_operand_type(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{'stablehlo.optimization_barrier' op operand #0 must be variadic of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or token, but got 'tuple<tensor<f32>>'}}
  %0 = "stablehlo.optimization_barrier"(%a) : (tuple<tensor<f32>>) -> tuple<tensor<f32>>
  return
}
