// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @batch_norm_training_c1(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op attribute 'feature_index' has dimension 2, but operand 0 has rank 2}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c1_negative(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op attribute 'feature_index' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = -1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c2(%a: tensor<2x3xf32>, %b: tensor<3xf64>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op failed to verify that all of {operand, scale, offset, output, batch_mean, batch_var} have same element type}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c3(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op operand 1 has shape 2, but the feature dimension of operand 0 implies shape 3}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c4(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op operand 2 has shape 2, but the feature dimension of operand 0 implies shape 3}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c5(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op result 1 has shape 2, but the operands and attributes of the op imply shape 3}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_c6(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op result 2 has shape 2, but the operands and attributes of the op imply shape 3}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>)
  return
}

// -----

func.func @batch_norm_training_c7(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op result 0 has shape 3x2, but operand 0 has shape 2x3}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @batch_norm_training_scale_rank(%a: tensor<2x3xf32>, %b: tensor<3x1xf32>, %c: tensor<3xf32>) {
  // expected-error @+1 {{'stablehlo.batch_norm_training' op operand #1 must be 1D tensor of 4/6/8/16/32/64-bit float or per-tensor integer quantized values, but got 'tensor<3x1xf32>'}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %b, %c) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<3x1xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}
