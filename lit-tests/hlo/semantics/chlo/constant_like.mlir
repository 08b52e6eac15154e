// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @constant_like_result_shape(%a: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.constant_like' op result 0 has shape 3, but the operands and attributes of the op imply shape 2}}
  %0 = "chlo.constant_like"(%a) {value = 1.0 : f32} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @constant_like_result_type(%a: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.constant_like' op result 0 has element type f64, but the operands and attributes of the op imply f32}}
  %0 = "chlo.constant_like"(%a) {value = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @constant_like_value_type(%a: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.constant_like' op result 0 has element type f32, but the operands and attributes of the op imply f64}}
  %0 = "chlo.constant_like"(%a) {value = 1.0 : f64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @constant_like_attribute(%a: tensor<2xf32>) {
  // expected-error @+1 {{'chlo.constant_like' op requires attribute 'value'}}
  %0 = "chlo.constant_like"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
