// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op operand 1 has element type f64, but operand 0 has element type f32}}
  %0 = "stablehlo.rng"(%a, %b, %c) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rng_c1_result(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "stablehlo.rng"(%a, %b, %c) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf64>
  return
}

// -----

func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<1xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op operand 0 has element type i32, but a NORMAL distribution is one of floats}}
  %0 = "stablehlo.rng"(%a, %b, %c) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op result 0 has shape ?, but the operands and attributes of the op imply shape ?x?}}
  %0 = "stablehlo.rng"(%a, %b, %c) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @rng_scalar(%a: tensor<1xf32>, %b: tensor<f32>, %c: tensor<2xi64>) {
  // expected-error @+1 {{'stablehlo.rng' op operand #0 must be 0D tensor of bool or 2/4/8/16/32/64-bit integer or 4/6/8/16/32/64-bit float values, but got 'tensor<1xf32>'}}
  %0 = "stablehlo.rng"(%a, %b, %c) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<1xf32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @rng_shape_type(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.rng' op operand #2 must be statically shaped 1-dimensional tensor of index or 2/4/8/16/32/64-bit integer values, but got 'tensor<2xf32>'}}
  %0 = "stablehlo.rng"(%a, %b, %c) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<f32>, tensor<f32>, tensor<2xf32>) -> tensor<?x?xf32>
  return
}
